#include "orchestration/jinja/filters.h"

#include <string>

namespace parley::orchestration::jinja {

Filter find_filter(std::string_view name) {
  for (const FilterTable* table :
       {&text_filters(), &value_filters(), &number_filters(), &list_filters(), &selection_filters()}) {
    const auto found = table->find(name);
    if (found != table->end()) return found->second;
  }
  return nullptr;
}

Value apply_filter(Interpreter& interpreter, std::string_view name, const Value& input,
                   const Arguments& arguments) {
  const Filter filter = find_filter(name);
  if (filter == nullptr) interpreter.fail("No filter named '" + std::string(name) + "'");
  const Nesting nesting(interpreter);
  interpreter.step();
  return filter(interpreter, input, arguments);
}

}  // namespace parley::orchestration::jinja
