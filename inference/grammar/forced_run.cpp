#include "inference/grammar/forced_run.h"

#include <algorithm>
#include <cstdint>

#include "inference/grammar/forced_tokens.h"

namespace parley::inference::grammar {
namespace {

using State = GrammarMachine::State;

// More is given when it is asked for again.
constexpr std::size_t kMaxRunBytes = 4096;
// In units of GrammarMachine; usual runs take a tenth.
constexpr std::size_t kMaxRunWork = 5'000'000;

// While it lives the machine does no more than that. What it says is to be looked at only if it has refused
// nothing.
class WorkLimit {
 public:
  explicit WorkLimit(GrammarMachine& machine) : machine_(machine) { machine.set_work_limit(kMaxRunWork); }
  ~WorkLimit() { machine_.clear_work_limit(); }
  WorkLimit(const WorkLimit&) = delete;
  WorkLimit& operator=(const WorkLimit&) = delete;

 private:
  GrammarMachine& machine_;
};

std::optional<std::uint8_t> only_byte(GrammarMachine& machine, State state) {
  if (machine.may_end(state) || machine.takes_tokens(state)) return std::nullopt;
  std::optional<std::uint8_t> only;
  int num_bytes = 0;
  machine.bytes(state).for_each([&](std::uint8_t byte) {
    if (num_bytes > 1 || machine.next(state, byte) == GrammarMachine::kDead) return;
    only = byte;
    ++num_bytes;
  });
  return num_bytes == 1 && !machine.has_refused() ? only : std::nullopt;
}

// Whether what is next is the end of the text, or a token by itself, so that no byte can come.
bool is_border(GrammarMachine& machine, State state) {
  if (!machine.may_end(state) && !machine.takes_tokens(state)) return false;
  return !has_next_byte(machine, state);
}

}  // namespace

bool has_next_byte(GrammarMachine& machine, State state) {
  bool has_one = false;
  machine.bytes(state).for_each(
      [&](std::uint8_t byte) { has_one = has_one || machine.next(state, byte) != GrammarMachine::kDead; });
  return has_one;
}

std::string read_forced_bytes(GrammarMachine& machine, State& state, std::size_t max_bytes) {
  std::string forced;
  while (forced.size() < max_bytes) {
    const std::optional<std::uint8_t> byte = only_byte(machine, state);
    if (!byte) break;
    forced += static_cast<char>(*byte);
    state = machine.next(state, *byte);
  }
  return forced;
}

std::string find_forced_bytes(GrammarMachine& machine, State state, std::size_t max_bytes) {
  const WorkLimit limit(machine);
  return read_forced_bytes(machine, state, max_bytes);
}

std::optional<TokenId> only_token(GrammarMachine& machine, State state, const VocabularyIndex& vocabulary) {
  if (machine.may_end(state) || !machine.takes_tokens(state) || has_next_byte(machine, state))
    return std::nullopt;
  std::vector<TokenId> tokens = machine.named_tokens(state);
  for (const TokenId token : vocabulary.special_tokens()) {
    if (machine.next_token(state, token) != GrammarMachine::kDead) tokens.push_back(token);
  }
  for (const TokenId token : tokens) {
    if (token != tokens.front()) return std::nullopt;
  }
  return tokens.empty() ? std::nullopt : std::optional(tokens.front());
}

std::vector<TokenId> forced_run(GrammarMachine& machine, State state, const VocabularyIndex& vocabulary,
                                std::span<const TokenId> context) {
  const WorkLimit limit(machine);
  std::vector<TokenId> run;
  const std::span<const TokenId> last = context.last(std::min(context.size(), kForcedContext));
  std::vector<TokenId> text(last.begin(), last.end());
  for (std::size_t num_bytes = 0; num_bytes < kMaxRunBytes;) {
    const std::string bytes = read_forced_bytes(machine, state, kMaxRunBytes - num_bytes);
    num_bytes += bytes.size() + 1;  // and the token behind them
    const std::optional<TokenId> token = only_token(machine, state, vocabulary);
    if (bytes.empty() && !token) break;
    const bool is_closed = is_border(machine, state) && !machine.has_refused();
    const ForcedEnd end = is_closed ? ForcedEnd::closed : ForcedEnd::open;
    if (!bytes.empty()) {
      const std::vector<TokenId> added = forced_tokens(vocabulary, text, bytes, end);
      run.insert(run.end(), added.begin(), added.end());
      if (added.empty()) break;
      text.insert(text.end(), added.begin(), added.end());
    }
    if (!token || machine.has_refused()) break;
    run.push_back(*token);
    text.push_back(*token);
    state = machine.next_token(state, *token);
  }
  return run;
}

}  // namespace parley::inference::grammar
