// The for loop and the jumps out of it.

#include <utility>

#include "orchestration/jinja/attributes.h"
#include "orchestration/jinja/loop_object.h"
#include "orchestration/jinja/statements.h"

namespace parley::orchestration::jinja {
namespace {

class For : public Statement {
 public:
  For(std::uint32_t offset, Loop loop) : Statement(offset), loop_(std::move(loop)) {}

 private:
  Flow run(Interpreter& interpreter) const override {
    const Value iterated = loop_.items->evaluate(interpreter);
    here(interpreter);
    std::shared_ptr<const List> items = iterate(interpreter, iterated);
    if (loop_.condition != nullptr) items = wanted(interpreter, *items);
    if (run_over(interpreter, items)) return Flow::next;
    const ScopeEntry scope(interpreter.scopes());
    return execute_block(interpreter, loop_.otherwise);
  }

  std::shared_ptr<const List> wanted(Interpreter& interpreter, const List& items) const {
    auto kept = std::make_shared<List>();
    for (const Value& item : items.items) {
      interpreter.step();
      const ScopeEntry scope(interpreter.scopes());
      assign(interpreter, loop_.target, item);
      if (truthy(loop_.condition->evaluate(interpreter))) kept->items.push_back(item);
    }
    interpreter.charge_items(kept->items.size());
    return kept;
  }

  // Whether a round ran to its end: in Jinja a loop that only jumped counts as one without items.
  bool run_over(Interpreter& interpreter, const std::shared_ptr<const List>& items) const {
    if (items->items.empty()) return false;
    bool completed = false;
    const auto loop = std::make_shared<LoopObject>(items);
    const Value loop_value = interpreter.make_object(loop);
    for (std::size_t i = 0; i < items->items.size(); ++i) {
      interpreter.step();
      loop->move_to(i);
      const ScopeEntry scope(interpreter.scopes());
      interpreter.scopes().assign(loop_.loop_name, loop_value);
      assign(interpreter, loop_.target, items->items[i]);
      const Flow flow = execute_block(interpreter, loop_.body);
      if (flow == Flow::break_loop) break;
      completed = completed || flow == Flow::next;
    }
    return completed;
  }

  Loop loop_;
};

class Jump : public Statement {
 public:
  Jump(std::uint32_t offset, Flow flow) : Statement(offset), flow_(flow) {}

 private:
  Flow run(Interpreter&) const override { return flow_; }
  Flow flow_;
};

}  // namespace

StatementPtr make_for(std::uint32_t offset, Loop loop) {
  return std::make_unique<For>(offset, std::move(loop));
}

StatementPtr make_jump(std::uint32_t offset, Flow flow) { return std::make_unique<Jump>(offset, flow); }

}  // namespace parley::orchestration::jinja
