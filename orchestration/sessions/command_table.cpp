#include "orchestration/sessions/command_table.h"

namespace parley::orchestration::sessions {

CommandTable::CommandTable(Database& database, const CommandMemory& memory)
    : database_(database),
      memory_(memory),
      insert_(database,
              "INSERT INTO commands(id, content_hash, message, applied_at) VALUES (?1, ?2, ?3, ?4) "
              "ON CONFLICT(id) DO NOTHING"),
      find_(database, "SELECT id, content_hash, message, applied_at FROM commands WHERE id = ?1"),
      forget_old_(database, "DELETE FROM commands WHERE applied_at < ?1"),
      // Keys rise by one.
      forget_surplus_(database, "DELETE FROM commands WHERE key <= (SELECT max(key) FROM commands) - ?1") {}

bool CommandTable::insert(const AppliedCommand& command) {
  Query(insert_, command.id, command.content_hash, command.message, command.applied_at).run();
  if (database_.changes() != 1) return false;
  Query(forget_old_, command.applied_at - memory_.max_age.count()).run();
  Query(forget_surplus_, memory_.max_count).run();
  return true;
}

std::optional<AppliedCommand> CommandTable::find(const std::string& id) {
  Query query(find_, id);
  if (!query.next()) return std::nullopt;
  AppliedCommand command;
  command.id = query.text(0);
  command.content_hash = query.integer(1);
  command.message = query.text(2);
  command.applied_at = query.integer(3);
  return command;
}

}  // namespace parley::orchestration::sessions
