#pragma once
// Tool calls of answers in SQLite, without transactions of its own. Outputs and images lie in tables of
// their own, so that a page of messages costs none of them. Store thread. Throws StoreError.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orchestration/sessions/conversation.h"
#include "orchestration/sessions/output_piece.h"
#include "orchestration/sessions/sqlite.h"

namespace parley::orchestration::sessions {

std::string_view word_of(CallState state);

class CallTable {
 public:
  explicit CallTable(Database& database);

  // Of a message, in their order, without outputs and the bytes of images. A call whose state is unknown
  // comes as failed.
  std::vector<ToolCall> read(const std::string& message);
  // The message's calls become these; SessionStore::update_message says what happens to outputs and images.
  void replace(const std::string& conversation, const std::string& message,
               const std::vector<ToolCall>& calls);
  // That call of the message; a new one goes behind the others.
  void save(const std::string& conversation, const std::string& message, const ToolCall& call);

  std::optional<OutputPiece> read_output(const std::string& conversation, const std::string& call,
                                         std::size_t offset, std::size_t max_bytes);
  std::optional<calls::CallImage> read_image(const std::string& call, std::size_t number);

  // Calls that were being written or run become `interrupted`. Looks at nothing that could be damaged.
  void mark_interrupted();

 private:
  struct Place {
    const std::string& conversation;
    const std::string& message;
    std::int64_t position = 0;
  };
  void write(const Place& place, const ToolCall& call);
  void write_bulk(const ToolCall& call);
  void remove_others(const std::string& message, const std::vector<ToolCall>& calls);

  Database& database_;
  Statement read_;
  Statement images_;
  Statement ids_;
  Statement position_;
  Statement write_;
  Statement remove_;
  Statement write_output_;
  Statement keep_image_;
  Statement write_image_;
  Statement remove_images_;
  Statement read_output_;
  Statement read_image_;
  Statement mark_interrupted_;
};

}  // namespace parley::orchestration::sessions
