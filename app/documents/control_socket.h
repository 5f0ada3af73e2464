#pragma once
// How programs of this machine's user reach the document search of a server that runs: DIR/parley.sock, one
// JSON object in, one out, each a line, one exchange a connection.

#include <filesystem>
#include <memory>
#include <optional>

#include "app/documents/document_service.h"

namespace parley::app::documents {

// Serves one connection after another on a thread of its own; the destructor ends it and removes the file.
class ControlSocket {
 public:
  virtual ~ControlSocket() = default;
};

// Throws std::system_error when the socket cannot be made. The service outlives it.
std::unique_ptr<ControlSocket> open_control_socket(const std::filesystem::path& data_dir,
                                                   DocumentService& service);

// The answer of the server that runs on this folder; none: there is no server. Throws std::runtime_error when
// it does not answer as it should.
std::optional<inference::json::JsonObject> ask_server(const std::filesystem::path& data_dir,
                                                      const inference::json::JsonObject& request);

}  // namespace parley::app::documents
