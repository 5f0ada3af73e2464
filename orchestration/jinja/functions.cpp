#include "orchestration/jinja/functions.h"

#include <array>
#include <ctime>
#include <string>
#include <unordered_map>
#include <utility>

#include "orchestration/jinja/attributes.h"
#include "orchestration/jinja/bound_arguments.h"
#include "orchestration/jinja/namespace_object.h"
#include "orchestration/jinja/python_text.h"

namespace parley::orchestration::jinja {
namespace {

using Kind = Value::Kind;
using Function = Value (*)(Interpreter&, const Arguments&);

class BuiltinFunction : public Object {
 public:
  explicit BuiltinFunction(Function function) : function_(function) {}
  std::string_view type_name() const override { return "function"; }
  bool callable() const override { return true; }
  Value call(Interpreter& interpreter, const Arguments& arguments) override {
    return function_(interpreter, arguments);
  }

 private:
  Function function_;
};

Value make_range(Interpreter& interpreter, const Arguments& arguments) {
  const BoundArguments bound(interpreter, arguments, {"range()", {"start", "stop", "step"}, 1});
  const std::int64_t start = bound.has(1) ? bound.integer(0, 0) : 0;
  const std::int64_t stop = bound.has(1) ? bound.integer(1, 0) : bound.integer(0, 0);
  const std::int64_t step = bound.integer(2, 1);
  if (step == 0) interpreter.fail("range() arg 3 must not be zero");
  ValueList items;
  std::int64_t i = start;
  while (step > 0 ? i < stop : i > stop) {
    if (items.size() >= interpreter.limits().max_range) {
      interpreter.fail("Range too big. The largest allowed has " +
                       std::to_string(interpreter.limits().max_range) + " items");
    }
    items.push_back(Value::integer(i));
    if (__builtin_add_overflow(i, step, &i)) break;
  }
  return interpreter.make_list(std::move(items));
}

void set_pair(Interpreter& interpreter, Dict& dict, const Value& key, const Value& value) {
  if (!Dict::hashable(key)) interpreter.fail("unhashable type: '" + std::string(type_name(key)) + "'");
  interpreter.charge_entry(key);
  dict.set(key, value);
}

// dict(mapping, name=value) or dict(pairs, name=value).
Dict dict_from(Interpreter& interpreter, const Arguments& arguments) {
  Dict dict;
  if (arguments.positional.size() > 1) interpreter.fail("dict expected at most 1 argument");
  if (!arguments.positional.empty() && arguments.positional[0].is(Kind::dict)) {
    interpreter.charge(arguments.positional[0].as_dict()->copy_bytes());
    dict = *arguments.positional[0].as_dict();
  } else if (!arguments.positional.empty()) {
    const auto pairs = iterate(interpreter, arguments.positional[0]);
    for (const Value& pair : pairs->items) {
      interpreter.step();
      const auto parts = iterate(interpreter, pair);
      if (parts->items.size() != 2) interpreter.fail("dict() takes pairs of key and value");
      set_pair(interpreter, dict, parts->items[0], parts->items[1]);
    }
  }
  // A name that came from data stays data: a template may print it.
  for (const auto& [name, value] : arguments.keyword) set_pair(interpreter, dict, name, value);
  return dict;
}

Value make_dict(Interpreter& interpreter, const Arguments& arguments) {
  return interpreter.make_dict(dict_from(interpreter, arguments));
}

Value make_namespace(Interpreter& interpreter, const Arguments& arguments) {
  return interpreter.make_object(std::make_shared<NamespaceObject>(dict_from(interpreter, arguments)));
}

Value raise_exception(Interpreter& interpreter, const Arguments& arguments) {
  const BoundArguments bound(interpreter, arguments, {"raise_exception()", {"message"}, 1});
  interpreter.refuse(bound.text(0).view());
}

// Only conversions without surprises reach strftime; anything else is left as it is.
Value strftime_now(Interpreter& interpreter, const Arguments& arguments) {
  const BoundArguments bound(interpreter, arguments, {"strftime_now()", {"format"}, 1});
  const Text format = bound.text(0);
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  std::string formatted;
  interpreter.work(8 * format.size());
  for (std::size_t at = 0; at < format.size(); ++at) {
    constexpr std::string_view kConversions = "aAbBcdHIjmMpSUwWxXyYDeFhnRTtuVGgCZz%";
    const char letter = at + 1 < format.size() ? format.view()[at + 1] : '\0';
    if (format.view()[at] != '%' || letter == '\0' || kConversions.find(letter) == std::string_view::npos) {
      formatted.push_back(format.view()[at]);
      continue;
    }
    interpreter.step();
    std::array<char, 128> piece{};
    const std::array<char, 3> conversion = {'%', letter, '\0'};
    formatted.append(piece.data(), std::strftime(piece.data(), piece.size(), conversion.data(), &local));
    ++at;
  }
  interpreter.charge(formatted.size());
  return Text(std::move(formatted), kTemplateOrigin);
}

// joiner(", "): nothing the first time it is called, then its separator.
class Joiner : public Object {
 public:
  explicit Joiner(Text separator) : separator_(std::move(separator)) {}
  std::string_view type_name() const override { return "Joiner"; }
  bool callable() const override { return true; }
  Value call(Interpreter&, const Arguments&) override {
    return std::exchange(used_, true) ? separator_ : Text();
  }

 private:
  Text separator_;
  bool used_ = false;
};

Value make_joiner(Interpreter& interpreter, const Arguments& arguments) {
  const BoundArguments bound(interpreter, arguments, {"joiner()", {"sep"}});
  const Text separator = bound.has(0) ? bound.text(0) : Text(", ", kTemplateOrigin);
  return interpreter.make_object(std::make_shared<Joiner>(separator));
}

}  // namespace

std::shared_ptr<Object> find_function(std::string_view name) {
  static const std::unordered_map<std::string_view, Function> kFunctions = {
      {"dict", make_dict},           {"joiner", make_joiner},
      {"namespace", make_namespace}, {"raise_exception", raise_exception},
      {"range", make_range},         {"strftime_now", strftime_now},
  };
  const auto found = kFunctions.find(name);
  return found == kFunctions.end() ? nullptr : std::make_shared<BuiltinFunction>(found->second);
}

}  // namespace parley::orchestration::jinja
