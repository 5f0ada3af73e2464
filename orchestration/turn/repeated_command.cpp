#include "orchestration/turn/repeated_command.h"

#include <utility>

#include "orchestration/turn/command_checks.h"
#include "orchestration/turn/command_errors.h"
#include "orchestration/turn/run_blocking.h"

namespace parley::orchestration::turn {
namespace {

namespace asio = boost::asio;
using sessions::AppliedCommand;

// FNV-1a, 64 bits (Fowler, Noll, Vo).
constexpr std::uint64_t kFnvBasis = 0xcbf29ce484222325;
constexpr std::uint64_t kFnvPrime = 0x100000001b3;

std::uint64_t hash_byte(std::uint64_t hash, std::uint64_t byte) { return (hash ^ byte) * kFnvPrime; }

}  // namespace

// Each field behind its length, so that what ends one cannot begin the next.
std::int64_t content_hash(std::initializer_list<std::string_view> fields) {
  std::uint64_t hash = kFnvBasis;
  for (const std::string_view field : fields) {
    for (int shift = 0; shift < 64; shift += 8) hash = hash_byte(hash, (field.size() >> shift) & 0xff);
    for (const char c : field) hash = hash_byte(hash, static_cast<unsigned char>(c));
  }
  return static_cast<std::int64_t>(hash);
}

AppliedCommand note_of(HubCore& core, std::string id, std::int64_t content) {
  AppliedCommand command;
  command.id = std::move(id);
  command.content_hash = content;
  command.applied_at = core.now();
  return command;
}

CommandResult<std::string> repeated_answer(const AppliedCommand& earlier, const AppliedCommand& command) {
  if (earlier.content_hash != command.content_hash) return id_conflict();
  return earlier.message;
}

asio::awaitable<std::optional<CommandResult<std::string>>> find_repeated(CorePtr core,
                                                                         AppliedCommand command) {
  if (auto error = check_command_id(command.id)) co_return *error;
  auto work = [&] { return core->store.find_command(command.id); };
  const std::optional<AppliedCommand> earlier = co_await run_blocking(core->store_thread, work);
  if (!earlier) co_return std::nullopt;
  co_return repeated_answer(*earlier, command);
}

CommandResult<Done> without_message(const CommandResult<std::string>& result) {
  if (const auto* error = std::get_if<CommandError>(&result)) return *error;
  return Done();
}

asio::awaitable<CommandResult<Done>> remember(CorePtr core, AppliedCommand command) {
  auto work = [&] { return core->store.remember(command); };
  const bool remembered = co_await run_blocking(core->store_thread, work);
  if (!remembered) co_return id_conflict();  // another conversation's command has just taken it
  co_return Done();
}

}  // namespace parley::orchestration::turn
