#pragma once
// Messages with their calls, and the parts of growing answers, in SQLite, without transactions of its own.
// Store thread. Throws StoreError.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "orchestration/sessions/call_table.h"
#include "orchestration/sessions/conversation.h"
#include "orchestration/sessions/sqlite.h"

namespace parley::orchestration::sessions {

class MessageTable {
 public:
  // `calls` is of the same database and outlives the table.
  MessageTable(Database& database, CallTable& calls);

  // False: the id is taken.
  bool insert(const std::string& conversation, const Message& message);
  std::optional<Message> find(const std::string& conversation, const std::string& id);
  // Replaces what is not fixed at insertion, and joins the parts into it.
  void replace(const std::string& conversation, const Message& message);
  void append(const std::string& conversation, const std::string& id, const std::string& text,
              const std::vector<std::int32_t>& token_ids);
  // From `leaf` towards the root, at most `limit`, newest first.
  std::vector<Message> climb(const std::string& conversation, const std::string& leaf, std::int64_t limit);

  // Answers that are `streaming` become `interrupted`, in a new epoch; their parts stay parts. Their calls
  // are the CallTable's. Looks at nothing that could be damaged. Returns how many.
  std::size_t mark_interrupted();

 private:
  void add_parts(Message& message);
  void add_rest(Message& message);

  Database& database_;
  CallTable& calls_;
  Statement insert_;
  Statement find_;
  Statement replace_;
  Statement drop_parts_;
  Statement append_;
  Statement parts_;
  Statement climb_;
  Statement mark_interrupted_;
};

}  // namespace parley::orchestration::sessions
