// default, tojson and from_json. Expected texts are those of Python's jinja2.

#include <gtest/gtest.h>

#include "orchestration/jinja/filters.h"
#include "tests/orchestration/jinja/render_helper.h"

namespace parley::orchestration::jinja {
namespace {

TEST(ValueFilters, DefaultsReplaceWhatIsMissing) {
  expect_renders({
      {"{{ missing|default('d'), missing|default, none|default('d'), ''|d('d') }}", "('d', '', None, '')"},
      {"{{ ''|default('d', true), none|default('d', boolean=true), 0|default(5, true), [1]|default('d', "
       "true) }}",
       "('d', 'd', 5, [1])"},
      {"{{ missing|d(missing) is defined }}", "False"},
  });
}

TEST(ValueFilters, JsonIsWrittenAsAsked) {
  expect_renders({
      {"{{ {'a': [1, none, true, 1.5, 'é']}|tojson }}", "{\"a\": [1, null, true, 1.5, \"é\"]}"},
      {"{{ {'a': 1}|tojson(indent=2) }}", "{\n  \"a\": 1\n}"},
      {"{{ [1, [2]]|tojson(indent='-') }}", "[\n-1,\n-[\n--2\n-]\n]"},
      {"{{ 'é😀'|tojson(true), 'é'|tojson(ensure_ascii=true) }}",
       "('\"\\\\u00e9\\\\ud83d\\\\ude00\"', '\"\\\\u00e9\"')"},
      {"{{ {'b': 1, 'a': 2}|tojson(sort_keys=true) }}", "{\"a\": 2, \"b\": 1}"},
      {"{{ {'a': 1, 'b': 2}|tojson(separators=(',', ':')) }}", "{\"a\":1,\"b\":2}"},
      {"{{ {'a': [1]}|tojson(indent=1, separators=(';', '=')) }}", "{\n \"a\"=[\n  1\n ]\n}"},
      {"{{ []|tojson(indent=2), {}|tojson(indent=2), [1]|tojson(indent=none) }}", "('[]', '{}', '[1]')"},
      {"{{ [1, 2]|tojson(indent=0) }}", "[\n1,\n2\n]"},
      {"{{ [1]|tojson(indent=true) }}", "[\n 1\n]"},
  });
}

TEST(ValueFilters, FailuresNameTheCause) {
  expect_failures({
      {"{{ missing|tojson }}", "is not JSON serializable"},
      {"{{ 1|tojson(nope=1) }}", "tojson has no argument 'nope'"},
      {"{{ 1|default(1, 2, 3) }}", "default takes at most 2 arguments"},
      {"{{ {'a': 1}|tojson(separators=(1,)) }}", "separators is a pair of texts"},
  });
}

// Not Jinja's own, but templates for other engines have it under both names.
TEST(ValueFilters, JsonTextBecomesAValue) {
  expect_renders({{R"({{ '{"a": [1, null]}'|from_json }})", "{'a': [1, None]}"},
                  {R"({{ ('[1, 2]'|fromjson)[1] }})", "2"},
                  {R"({{ {'a': 'é'}|tojson|from_json == {'a': 'é'} }})", "True"}});
  expect_failures({{"{{ '{'|from_json }}", "the text is not valid JSON"},
                   {"{{ 1|from_json }}", "from_json needs text, not 'int'"},
                   {"{{ [1]|tojson(indent=[]) }}", "indent is a number or text"}});
}

}  // namespace
}  // namespace parley::orchestration::jinja
