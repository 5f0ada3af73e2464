#include "orchestration/jinja/text_test_methods.h"

// isdigit(), isupper() and their like: true when all characters are so and there is one.

#include <unordered_map>

#include "orchestration/jinja/bound_arguments.h"
#include "orchestration/jinja/characters.h"
#include "orchestration/jinja/methods.h"

namespace parley::orchestration::jinja {
namespace {

template <typename Predicate>
bool all_characters(std::string_view text, Predicate predicate) {
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint next = code_point_at(text, at);
    if (!predicate(next.value)) return false;
    at += next.size;
  }
  return !text.empty();
}

// Cased letters are all of one case, and there is one.
bool all_of_case(std::string_view text, bool (*wanted)(char32_t), bool (*unwanted)(char32_t)) {
  bool any = false;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint next = code_point_at(text, at);
    if (unwanted(next.value)) return false;
    any = any || wanted(next.value);
    at += next.size;
  }
  return any;
}

bool is_letter_or_digit(char32_t c) { return is_letter(c) || is_digit(c); }

template <bool (*predicate)(char32_t)>
bool all_are(std::string_view text) {
  return all_characters(text, predicate);
}

template <bool (*test)(std::string_view)>
Value text_is(Interpreter& interpreter, const Value& receiver, const Arguments& arguments) {
  const BoundArguments bound(interpreter, arguments, {"this method of str", {}});
  interpreter.work(8 * receiver.as_text().size());
  return Value::boolean(test(receiver.as_text().view()));
}

}  // namespace

bool is_lower_text(std::string_view text) { return all_of_case(text, is_lower, is_upper); }
bool is_upper_text(std::string_view text) { return all_of_case(text, is_upper, is_lower); }

Method find_text_test_method(std::string_view name) {
  static const std::unordered_map<std::string_view, Method> kMethods = {
      {"isalnum", text_is<all_are<is_letter_or_digit>>},
      {"isalpha", text_is<all_are<is_letter>>},
      {"isdecimal", text_is<all_are<is_digit>>},
      {"isdigit", text_is<all_are<is_digit>>},
      {"islower", text_is<is_lower_text>},
      {"isnumeric", text_is<all_are<is_digit>>},
      {"isspace", text_is<all_are<is_space>>},
      {"isupper", text_is<is_upper_text>},
  };
  const auto found = kMethods.find(name);
  return found == kMethods.end() ? nullptr : found->second;
}

}  // namespace parley::orchestration::jinja
