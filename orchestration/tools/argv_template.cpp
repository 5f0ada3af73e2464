#include "orchestration/tools/argv_template.h"

#include <cctype>
#include <optional>
#include <utility>

#include "orchestration/tools/argument_text.h"

namespace parley::orchestration::tools {
namespace {

using inference::json::JsonObject;
using inference::json::JsonValue;

struct TemplatePart {
  std::string text;  // literal, or the placeholder's name
  bool placeholder = false;
};

bool is_placeholder_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
}

// The length of "{name}" at the front; 0: there is none.
std::size_t placeholder_length(std::string_view text) {
  if (text.size() < 3 || text[0] != '{' || std::isdigit(static_cast<unsigned char>(text[1])) != 0) return 0;
  std::size_t end = 1;
  while (end < text.size() && is_placeholder_character(text[end])) ++end;
  return end > 1 && end < text.size() && text[end] == '}' ? end + 1 : 0;
}

std::vector<TemplatePart> parts_of(std::string_view element) {
  std::vector<TemplatePart> parts;
  const auto add_literal = [&](std::string_view text) {
    if (parts.empty() || parts.back().placeholder) parts.push_back({.text = {}, .placeholder = false});
    parts.back().text += text;
  };
  while (!element.empty()) {
    const std::size_t escaped = element[0] == '{' ? placeholder_length(element.substr(1)) : 0;
    if (escaped > 0 && element.size() > escaped + 1 && element[escaped + 1] == '}') {
      add_literal(element.substr(1, escaped));
      element.remove_prefix(escaped + 2);
    } else if (const std::size_t length = placeholder_length(element)) {
      parts.push_back({.text = std::string(element.substr(1, length - 2)), .placeholder = true});
      element.remove_prefix(length);
    } else {
      add_literal(element.substr(0, 1));
      element.remove_prefix(1);
    }
  }
  return parts;
}

bool is_option(const std::string& element) {
  return element.size() > 1 && element[0] == '-' && element != "--";
}

class Filler {
 public:
  Filler(const JsonObject& arguments, LeadingDash dash) : arguments_(arguments), dash_(dash) {}

  void add(const std::string& element) {
    const std::vector<TemplatePart> parts = parts_of(element);
    const bool literal = parts.empty() || (parts.size() == 1 && !parts[0].placeholder);
    if (literal) {
      const std::string text = parts.empty() ? std::string() : parts[0].text;
      if (text == "--") dash_ = LeadingDash::allowed;
      filled_.argv.push_back(text);
    } else if (const auto text = filled_text(parts)) {
      filled_.argv.push_back(*text);
    } else if (!is_option(element) && after_literal_ && is_option(filled_.argv.back())) {
      filled_.argv.pop_back();
    }
    after_literal_ = literal && !filled_.argv.empty();
  }

  FilledArgv take() { return std::move(filled_); }

 private:
  // Nullopt: an argument is absent, or there is a problem.
  std::optional<std::string> filled_text(const std::vector<TemplatePart>& parts) {
    std::string text;
    for (const TemplatePart& part : parts) {
      if (!part.placeholder) {
        text += part.text;
        continue;
      }
      const JsonValue* value = arguments_.if_contains(part.text);
      if (value == nullptr || value->is_null()) return std::nullopt;
      const std::string piece = argument_text(*value);
      check(part.text, *value, piece, text.empty());
      text += piece;
    }
    return text;
  }

  void check(const std::string& name, const JsonValue& value, const std::string& text, bool leads) {
    if (text.find('\0') != std::string::npos) {
      filled_.problem = "The argument \"" + name + "\" holds a NUL character, which no program can be given.";
    } else if (leads && value.is_string() && dash_ == LeadingDash::refused && text.substr(0, 1) == "-") {
      filled_.problem =
          "The argument \"" + name + "\" must not begin with \"-\": the program could take it for an option.";
    }
  }

  const JsonObject& arguments_;
  LeadingDash dash_;
  FilledArgv filled_;
  bool after_literal_ = false;
};

}  // namespace

std::vector<std::string> placeholders_of(std::string_view element) {
  std::vector<std::string> names;
  for (TemplatePart& part : parts_of(element)) {
    if (part.placeholder) names.push_back(std::move(part.text));
  }
  return names;
}

FilledArgv fill_argv(const std::vector<std::string>& elements, const JsonObject& arguments,
                     LeadingDash dash) {
  Filler filler(arguments, dash);
  for (const std::string& element : elements) filler.add(element);
  return filler.take();
}

}  // namespace parley::orchestration::tools
