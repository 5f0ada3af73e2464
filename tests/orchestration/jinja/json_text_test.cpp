#include "orchestration/jinja/json_text.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include <boost/json.hpp>

#include "orchestration/jinja/parse_json.h"
#include "tests/orchestration/jinja/json_values.h"
#include "tests/orchestration/jinja/render_helper.h"

namespace parley::orchestration::jinja {
namespace {

namespace json = boost::json;

json::value random_json(std::mt19937& random, int depth) {
  static const std::string kTexts[] = {"", "a", "é\"\\\n", "😀\x01\x7f", "</script>", "\u2028"};
  switch (random() % (depth > 0 ? 7 : 5)) {
    case 0:
      return nullptr;
    case 1:
      return random() % 2 == 0;
    case 2:
      return static_cast<std::int64_t>(random()) - 1'000'000;
    case 3:
      return static_cast<double>(random()) / 1024.0;
    case 4:
      return json::string(kTexts[random() % 6]);
    case 5: {
      json::array array;
      for (std::size_t i = random() % 4; i > 0; --i) array.push_back(random_json(random, depth - 1));
      return array;
    }
    default: {
      json::object object;
      for (std::size_t i = random() % 4; i > 0; --i) {
        object[kTexts[random() % 6] + std::to_string(i)] = random_json(random, depth - 1);
      }
      return object;
    }
  }
}

TEST(JsonText, IsJsonOfTheSameValueInEveryFormat) {
  std::mt19937 random(6);
  for (int i = 0; i < 300; ++i) {
    const json::value value = random_json(random, 4);
    for (const char* filter : {"tojson", "tojson(indent=2)", "tojson(true)", "tojson(separators=(',', ':'))",
                               "tojson(indent='\t', sort_keys=true)"}) {
      const std::string text =
          render_text(std::string("{{ x|") + filter + " }}", {{"x", from_json(value, 1)}});
      const auto parsed = parse_json(text, 1);
      ASSERT_TRUE(parsed) << text;
      ASSERT_EQ(to_json(*parsed), value) << text;
    }
  }
}

TEST(JsonText, AsciiOnlyWhenAsked) {
  const std::string text = render_text("{{ 'é€😀\x7f'|tojson(ensure_ascii=true) }}");
  EXPECT_EQ(text, "\"\\u00e9\\u20ac\\ud83d\\ude00\\u007f\"");
  EXPECT_EQ(render_text("{{ 'é😀'|tojson }}"), "\"é😀\"");
}

TEST(JsonText, InvalidBytesStayOrAreReplaced) {
  const Names names = {{"x", Value::text("a\xff", 1)}};
  EXPECT_EQ(render_text("{{ x|tojson }}", names), "\"a\xff\"");
  EXPECT_EQ(render_text("{{ x|tojson(true) }}", names), "\"a\\ufffd\"");
}

TEST(JsonText, NumbersThatJsonLacksAreWrittenAsPythonDoes) {
  EXPECT_EQ(render_text("{{ ['inf'|float, '-inf'|float, 'nan'|float]|tojson }}"),
            "[Infinity, -Infinity, NaN]");
}

TEST(JsonText, RefusesWhatIsNotData) {
  for (const char* source :
       {"{{ missing|tojson }}", "{{ [missing]|tojson }}", "{{ range|tojson }}",
        "{{ {'a': namespace()}|tojson }}", "{{ ([1]|map('string'))|tojson }}", "{{ {}.items()|tojson }}"}) {
    EXPECT_NE(error_of(source).find("not JSON serializable"), std::string::npos) << source;
  }
}

}  // namespace
}  // namespace parley::orchestration::jinja
