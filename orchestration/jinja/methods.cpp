#include "orchestration/jinja/methods.h"

#include <memory>
#include <utility>

namespace parley::orchestration::jinja {
namespace {

class BoundMethod : public Object {
 public:
  BoundMethod(Value receiver, Method method) : receiver_(std::move(receiver)), method_(method) {}

  std::string_view type_name() const override { return "method"; }
  bool callable() const override { return true; }
  Value call(Interpreter& interpreter, const Arguments& arguments) override {
    return method_(interpreter, receiver_, arguments);
  }
  void release() override { receiver_ = Value(); }

 private:
  Value receiver_;
  Method method_;
};

}  // namespace

Method find_method(const Value& receiver, std::string_view name) {
  switch (receiver.kind()) {
    case Value::Kind::text: {
      const Method method = find_text_method(name);
      return method != nullptr ? method : find_text_test_method(name);
    }
    case Value::Kind::dict:
      return find_dict_method(name);
    case Value::Kind::list:
      return find_list_method(name);
    default:
      return nullptr;
  }
}

std::optional<Value> bound_method(Interpreter& interpreter, const Value& receiver, std::string_view name) {
  const Method method = find_method(receiver, name);
  if (method == nullptr) return std::nullopt;
  return interpreter.make_object(std::make_shared<BoundMethod>(receiver, method));
}

}  // namespace parley::orchestration::jinja
