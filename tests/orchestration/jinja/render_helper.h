#pragma once
// Short ways to render a template in a test.

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orchestration/jinja/template.h"

namespace parley::orchestration::jinja {

using Names = std::vector<std::pair<std::string, Value>>;

inline Value context_of(const Names& names) {
  Dict dict;
  for (const auto& [name, value] : names) dict.set(name, value);
  return Value::dict(std::move(dict));
}

inline Rendered render(std::string_view source, const Names& names = {}, const RenderLimits& limits = {}) {
  return parse_template(source)->render(context_of(names), limits);
}

inline std::string render_text(std::string_view source, const Names& names = {},
                               const RenderLimits& limits = {}) {
  return render(source, names, limits).text;
}

// What the failure says; empty when there is none.
inline std::string error_of(std::string_view source, const Names& names = {},
                            const RenderLimits& limits = {}) {
  try {
    render(source, names, limits);
  } catch (const TemplateError& error) {
    return error.what();
  }
  return {};
}

struct Rendering {
  std::string_view source;
  std::string_view text;
};
inline void expect_renders(std::initializer_list<Rendering> renderings) {
  for (const auto& [source, text] : renderings) {
    SCOPED_TRACE(source);
    try {
      EXPECT_EQ(render_text(source), text);
    } catch (const TemplateError& error) {
      ADD_FAILURE() << error.what();
    }
  }
}

struct Failure {
  std::string_view source;
  std::string_view words;  // of the error
};
inline void expect_failures(std::initializer_list<Failure> failures) {
  for (const auto& [source, words] : failures) {
    const std::string error = error_of(source);
    EXPECT_NE(error, "") << source;
    EXPECT_NE(error.find(words), std::string::npos) << source << "\n" << error;
  }
}

}  // namespace parley::orchestration::jinja
