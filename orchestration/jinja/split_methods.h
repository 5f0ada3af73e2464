#pragma once
// str.split() and its relatives. Parts share the text's storage and keep its origins.
// On the render's thread; failures end the render.

#include <string>
#include <string_view>

#include "orchestration/jinja/interpreter.h"
#include "orchestration/jinja/object.h"
#include "orchestration/jinja/value.h"

namespace parley::orchestration::jinja {

Value text_split(Interpreter& interpreter, const Value& receiver, const Arguments& arguments);
Value text_rsplit(Interpreter& interpreter, const Value& receiver, const Arguments& arguments);
Value text_splitlines(Interpreter& interpreter, const Value& receiver, const Arguments& arguments);
Value text_partition(Interpreter& interpreter, const Value& receiver, const Arguments& arguments);
Value text_rpartition(Interpreter& interpreter, const Value& receiver, const Arguments& arguments);

// Looks for a text from the end on, in linear time for any input (string_view::rfind is not).
class ReverseSearch {
 public:
  // Charges the work of the whole search. `needle` is not empty.
  ReverseSearch(Interpreter& interpreter, std::string_view text, std::string_view needle);

  // Where the needle begins last in the text's first `end` bytes; npos when nowhere.
  std::size_t before(std::size_t end) const;

 private:
  std::string text_;  // both from back to front
  std::string needle_;
};

}  // namespace parley::orchestration::jinja
