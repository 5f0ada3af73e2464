#pragma once
// Things that exist only while a template runs: functions, macros, namespaces, loops.
// Owned by the render that made them, used on its thread. Failures end the render with a TemplateError.

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orchestration/jinja/value.h"

namespace parley::orchestration::jinja {

class Interpreter;

struct Arguments {
  ValueList positional;
  std::vector<std::pair<Text, Value>>
      keyword;  // a name that was unpacked from data remembers that it is data
};

class Object {
 public:
  virtual ~Object() = default;

  virtual std::string_view type_name() const = 0;

  // Absent when there is no such attribute.
  virtual std::optional<Value> attribute(Interpreter& interpreter, std::string_view name) const;

  // False when the object does not take attributes.
  virtual bool set_attribute(Interpreter& interpreter, std::string_view name, const Value& value);

  virtual bool callable() const { return false; }
  virtual Value call(Interpreter& interpreter, const Arguments& arguments);

  // Lets go of everything it refers to, so that objects that refer to each other can be freed.
  virtual void release() {}
};

}  // namespace parley::orchestration::jinja
