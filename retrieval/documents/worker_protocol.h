#pragma once
// What the server and parley-documents say to each other over their socket pair, and how.
//   server: hello                    worker: ready, once it is confined
//   server: a file's name, with its descriptor     worker: the outcome
// Each message is its size (8 bytes, the machine's order: both are on one machine) and that many bytes.
// Functions block; any thread.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "retrieval/documents/document_reader.h"
#include "retrieval/documents/owned_descriptor.h"

namespace parley::retrieval::documents {

inline constexpr int kWorkerSocket = 3;  // in the worker
inline constexpr std::string_view kWorkerReady = "parley-documents 1";
inline constexpr std::size_t kMaxWorkerName = 4096;

struct WorkerHello {
  ReadLimits limits;
  std::uint64_t memory_bytes = 0;
  std::uint64_t seconds_a_file = 0;
  std::uint64_t max_files = 0;  // the worker is replaced after so many
};

std::string encoded_hello(const WorkerHello& hello);
std::optional<WorkerHello> decoded_hello(std::string_view bytes);

// False: the other side is gone (errno), or sent more than `longest`.
bool send_message(int socket, std::string_view message, int descriptor = -1);
bool receive_message(int socket, std::string& message, std::size_t longest,
                     OwnedDescriptor* descriptor = nullptr);

}  // namespace parley::retrieval::documents
