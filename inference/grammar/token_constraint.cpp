#include "inference/grammar/token_constraint.h"

#include <algorithm>
#include <cassert>
#include <string_view>
#include <utility>

#include "inference/grammar/forced_run.h"
#include "inference/grammar/grammar_machine.h"
#include "inference/grammar/mask_maker.h"

namespace parley::inference::grammar {
namespace {

using State = GrammarMachine::State;

constexpr std::size_t kMaxMachineBytes = std::size_t{16} << 20;
constexpr std::size_t kMaxForcedBytes = 4096;

// What a request and its clones know about the grammar.
struct Knowledge {
  Knowledge(std::shared_ptr<const VocabularyIndex> index, std::shared_ptr<GrammarMachine> reader)
      : vocabulary(std::move(index)), machine(std::move(reader)), masks(*vocabulary, *machine) {}

  std::shared_ptr<const VocabularyIndex> vocabulary;
  std::shared_ptr<GrammarMachine> machine;
  MaskMaker masks;
};

class GrammarConstraint final : public TokenConstraint {
 public:
  GrammarConstraint(std::shared_ptr<const VocabularyIndex> vocabulary,
                    std::shared_ptr<GrammarMachine> machine)
      : knowledge_(std::make_shared<Knowledge>(std::move(vocabulary), std::move(machine))),
        state_(knowledge_->machine->start()) {}

  bool allows(std::int32_t token) const override {
    if (is_over_) return false;
    if (knowledge_->vocabulary->is_end(token)) return machine().may_end(state_);
    return step(token) != GrammarMachine::kDead;
  }

  void accept(std::int32_t token) override {
    assert(allows(token));
    if (knowledge_->vocabulary->is_end(token)) {
      is_over_ = true;
      return;
    }
    const State next = step(token);
    if (next == GrammarMachine::kDead) return;  // not allowed, so no state for it
    state_ = next;
    if (machine().memory() > kMaxMachineBytes) start_afresh();
  }

  void fill_mask(std::span<std::uint64_t> mask) override {
    if (is_over_) {
      std::fill(mask.begin(), mask.end(), 0);
    } else {
      knowledge_->masks.fill(state_, mask);
    }
  }

  std::string forced_bytes() const override {
    return is_over_ ? std::string() : find_forced_bytes(machine(), state_, kMaxForcedBytes);
  }

  std::vector<std::int32_t> forced_run(std::span<const std::int32_t> context) const override {
    if (is_over_) return {};
    return grammar::forced_run(machine(), state_, *knowledge_->vocabulary, context);
  }

  bool is_complete() const override {
    if (is_over_) return true;
    return machine().may_end(state_) && !has_next_byte(machine(), state_) && !machine().takes_tokens(state_);
  }

  std::unique_ptr<TokenConstraint> clone() const override {
    return std::make_unique<GrammarConstraint>(*this);
  }

 private:
  GrammarMachine& machine() const { return *knowledge_->machine; }

  State step(std::int32_t token) const {
    if (knowledge_->vocabulary->is_special(token) || is_named(token))
      return machine().next_token(state_, token);
    const std::string_view bytes = knowledge_->vocabulary->tokenizer().token_bytes(token);
    if (bytes.empty()) return GrammarMachine::kDead;
    State state = state_;
    for (const char byte : bytes) {
      state = machine().next(state, static_cast<std::uint8_t>(byte));
      if (state == GrammarMachine::kDead) break;
    }
    return state;
  }

  bool is_named(std::int32_t token) const {
    if (!machine().takes_tokens(state_)) return false;
    const std::vector<TokenId> named = machine().named_tokens(state_);
    return std::find(named.begin(), named.end(), token) != named.end();
  }

  // Forgets all but the present state; clones keep what they use.
  void start_afresh() {
    knowledge_ = std::make_shared<Knowledge>(knowledge_->vocabulary, machine().fresh(state_));
    state_ = machine().start();
  }

  std::shared_ptr<Knowledge> knowledge_;  // shared with clones; the last one frees it
  State state_;
  bool is_over_ = false;
};

}  // namespace

std::unique_ptr<TokenConstraint> make_constraint(std::shared_ptr<const Grammar> grammar,
                                                 std::shared_ptr<const VocabularyIndex> vocabulary) {
  return std::make_unique<GrammarConstraint>(std::move(vocabulary),
                                             std::make_shared<GrammarMachine>(std::move(grammar)));
}

}  // namespace parley::inference::grammar
