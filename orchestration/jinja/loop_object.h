#pragma once
// The variable `loop` inside a for statement. Owned by one render; the statement moves it on. Failures end
// the render.

#include <cstddef>
#include <memory>

#include "orchestration/jinja/interpreter.h"
#include "orchestration/jinja/object.h"

namespace parley::orchestration::jinja {

class LoopObject : public Object, public std::enable_shared_from_this<LoopObject> {
 public:
  explicit LoopObject(std::shared_ptr<const List> items) : items_(std::move(items)) {}

  std::string_view type_name() const override { return "LoopContext"; }
  std::optional<Value> attribute(Interpreter& interpreter, std::string_view name) const override;
  void release() override;

  void move_to(std::size_t index) { index_ = index; }

  // loop.cycle(a, b): one after the other. loop.changed(x): whether x differs from the last time.
  Value cycle(Interpreter& interpreter, const Arguments& arguments) const;
  Value changed(Interpreter& interpreter, const Arguments& arguments);

 private:
  Value item_at(std::size_t index) const;
  std::optional<Value> function(Interpreter& interpreter, std::string_view name) const;

  std::shared_ptr<const List> items_;
  std::size_t index_ = 0;
  ValueList last_changed_;
  bool asked_ = false;
};

}  // namespace parley::orchestration::jinja
