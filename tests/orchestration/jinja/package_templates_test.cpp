// Our engine against Python's jinja2 over the chat templates that scripts/test fetches from packages. Run by
// tests/goldens/jinja/package_templates.py, which renders them just before; skipped by itself.

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include <boost/json.hpp>

#include "orchestration/jinja/template.h"
#include "tests/orchestration/jinja/json_values.h"
#include "tests/orchestration/jinja/render_helper.h"

namespace parley::orchestration::jinja {
namespace {

constexpr Origin kPackageData = 7;

Value package_context(const boost::json::value& conversation, bool generation) {
  const boost::json::value* tools = conversation.as_object().if_contains("tools");
  return context_of({
      {"messages", from_json(conversation.at("messages"), kPackageData)},
      {"tools", tools == nullptr ? Value::none() : from_json(*tools, kPackageData)},
      {"documents", Value::none()},
      {"add_generation_prompt", Value::boolean(generation)},
      {"bos_token", Value::text("<s>", kTemplateOrigin)},
      {"eos_token", Value::text("</s>", kTemplateOrigin)},
  });
}

// Templates that Python refuses for what only its sandbox or its filters lack, and that we may render.
bool may_render(std::string_view error) {
  return error.find("SecurityError") != std::string_view::npos ||
         error.find("No filter named 'from_json'") != std::string_view::npos;
}

// `"a"|safe + b` makes jinja2 escape b for HTML. No prompt is HTML, so we do not; one template of 76 has it.
bool escapes_for_html(std::string_view source) { return source.find("|safe + ") != std::string_view::npos; }

std::string outcome(const Template& parsed, const Value& context) {
  try {
    return parsed.render(context, {}).text;
  } catch (const TemplateError& error) {
    return "refused";
  }
}

TEST(PackageTemplates, RenderAsInPython) {
  const char* path = std::getenv("PARLEY_TEMPLATE_GOLDENS");
  if (path == nullptr) GTEST_SKIP() << "run by tests/goldens/jinja/package_templates.py";
  std::ifstream file(path, std::ios::binary);
  const boost::json::value golden = boost::json::parse(std::string(std::istreambuf_iterator<char>(file), {}));
  boost::json::object by_name;
  for (const auto& item : golden.at("conversations").as_array()) by_name[item.at("name").as_string()] = item;
  std::size_t compared = 0;
  std::size_t left_out = 0;
  for (const boost::json::value& item : golden.at("renders").as_array()) {
    SCOPED_TRACE(boost::json::serialize(item));
    const std::string source(golden.at("sources").at(item.at("template").as_string()).as_string());
    const boost::json::value* text = item.as_object().if_contains("text");
    const Value context =
        package_context(by_name[item.at("conversation").as_string()], item.at("generation").as_bool());
    const std::string ours = outcome(*parse_template(source), context);
    if (text != nullptr && escapes_for_html(source)) {
      ++left_out;
    } else if (text != nullptr) {
      EXPECT_EQ(ours, std::string(text->as_string()));
      ++compared;
    } else if (!may_render(item.at("error").as_string())) {
      EXPECT_EQ(ours, "refused");
    }
  }
  EXPECT_GE(compared, 100u);
  EXPECT_LE(left_out, 24u);
  std::printf("%zu renderings compared with those of jinja2, %zu left out\n", compared, left_out);
}

}  // namespace
}  // namespace parley::orchestration::jinja
