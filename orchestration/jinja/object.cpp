#include "orchestration/jinja/object.h"

#include "orchestration/jinja/interpreter.h"

namespace parley::orchestration::jinja {

std::optional<Value> Object::attribute(Interpreter&, std::string_view) const { return std::nullopt; }

bool Object::set_attribute(Interpreter&, std::string_view, const Value&) { return false; }

Value Object::call(Interpreter& interpreter, const Arguments&) {
  interpreter.fail("'" + std::string(type_name()) + "' object is not callable");
}

}  // namespace parley::orchestration::jinja
