#include "orchestration/jinja/loop_object.h"

#include <utility>

#include "orchestration/jinja/comparison.h"

namespace parley::orchestration::jinja {
namespace {

using LoopMethod = Value (*)(LoopObject& loop, Interpreter& interpreter, const Arguments& arguments);

class LoopFunction : public Object {
 public:
  LoopFunction(std::shared_ptr<LoopObject> loop, LoopMethod method)
      : loop_(std::move(loop)), method_(method) {}
  std::string_view type_name() const override { return "method"; }
  bool callable() const override { return true; }
  Value call(Interpreter& interpreter, const Arguments& arguments) override {
    return method_(*loop_, interpreter, arguments);
  }

 private:
  std::shared_ptr<LoopObject> loop_;
  LoopMethod method_;
};

Value count(std::size_t number) { return Value::integer(static_cast<std::int64_t>(number)); }

}  // namespace

std::optional<Value> LoopObject::attribute(Interpreter& interpreter, std::string_view name) const {
  const std::size_t size = items_->items.size();
  if (name == "index0") return count(index_);
  if (name == "index") return count(index_ + 1);
  if (name == "first") return Value::boolean(index_ == 0);
  if (name == "last") return Value::boolean(index_ + 1 == size);
  if (name == "length") return count(size);
  if (name == "revindex") return count(size - index_);
  if (name == "revindex0") return count(size - index_ - 1);
  if (name == "previtem") return index_ == 0 ? Value() : item_at(index_ - 1);
  if (name == "nextitem") return item_at(index_ + 1);
  if (name == "depth") return count(1);  // counts recursive loops only, and there are none
  if (name == "depth0") return count(0);
  return function(interpreter, name);
}

Value LoopObject::item_at(std::size_t index) const {
  return index < items_->items.size() ? items_->items[index] : Value();
}

std::optional<Value> LoopObject::function(Interpreter& interpreter, std::string_view name) const {
  LoopMethod method = nullptr;
  if (name == "cycle") {
    method = [](LoopObject& loop, Interpreter& in, const Arguments& arguments) {
      return loop.cycle(in, arguments);
    };
  } else if (name == "changed") {
    method = [](LoopObject& loop, Interpreter& in, const Arguments& arguments) {
      return loop.changed(in, arguments);
    };
  } else {
    return std::nullopt;
  }
  const auto self = std::const_pointer_cast<LoopObject>(shared_from_this());
  return interpreter.make_object(std::make_shared<LoopFunction>(self, method));
}

Value LoopObject::cycle(Interpreter& interpreter, const Arguments& arguments) const {
  if (arguments.positional.empty()) interpreter.fail("no items for cycling given");
  return arguments.positional[index_ % arguments.positional.size()];
}

Value LoopObject::changed(Interpreter& interpreter, const Arguments& arguments) {
  bool same = asked_ && last_changed_.size() == arguments.positional.size();
  for (std::size_t i = 0; same && i < last_changed_.size(); ++i) {
    same = equal(interpreter, last_changed_[i], arguments.positional[i]);
  }
  asked_ = true;
  last_changed_ = arguments.positional;
  return Value::boolean(!same);
}

void LoopObject::release() {
  items_ = std::make_shared<const List>();
  last_changed_.clear();
}

}  // namespace parley::orchestration::jinja
