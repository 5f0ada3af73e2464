#pragma once
// Applied commands in SQLite, without transactions of its own: a command is inserted in the transaction of
// what it changes. Store thread. Throws StoreError.

#include <optional>
#include <string>

#include "orchestration/sessions/applied_command.h"
#include "orchestration/sessions/sqlite.h"

namespace parley::orchestration::sessions {

class CommandTable {
 public:
  explicit CommandTable(Database& database, const CommandMemory& memory = {});

  // False: a command of that id is there. Forgets the ones that are too old or too many.
  bool insert(const AppliedCommand& command);
  std::optional<AppliedCommand> find(const std::string& id);

 private:
  Database& database_;
  CommandMemory memory_;
  Statement insert_;
  Statement find_;
  Statement forget_old_;
  Statement forget_surplus_;
};

}  // namespace parley::orchestration::sessions
