// Every byte of the output knows who wrote it.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "orchestration/jinja/parse_json.h"
#include "tests/orchestration/jinja/render_helper.h"

namespace parley::orchestration::jinja {
namespace {

// The output with data in brackets: [data]template[data].
std::string marked(std::string_view source, const Names& names) {
  const Rendered rendered = render(source, names);
  std::string text;
  std::size_t end = 0;
  for (const OriginRun& run : rendered.runs) {
    EXPECT_EQ(run.begin, end);
    EXPECT_LT(run.begin, run.end);
    end = run.end;
    const std::string bytes = rendered.text.substr(run.begin, run.end - run.begin);
    text += run.origin == kTemplateOrigin ? bytes : "[" + bytes + "]";
  }
  EXPECT_EQ(end, rendered.text.size());
  return text;
}

const Names kNames = {
    {"x", Value::text("Data", 1)},
    {"y", Value::text(" two words\n", 2)},
    {"q", Value::text("it's \"q\"\n", 3)},
    {"t", *parse_json(R"({"name": "f<|x|>", "n": 1, "list": ["a", null]})", 4)},
    {"role", Value::text("user", kTemplateOrigin)},
};

struct Case {
  const char* source;
  const char* expected;
};

void PrintTo(const Case& test, std::ostream* out) { *out << test.source; }

class Provenance : public testing::TestWithParam<Case> {};

TEST_P(Provenance, IsKept) { EXPECT_EQ(marked(GetParam().source, kNames), GetParam().expected); }

INSTANTIATE_TEST_SUITE_P(
    Expressions, Provenance,
    testing::Values(
        Case{"a{{ x }}b", "a[Data]b"}, Case{"<|{{ role }}|>{{ x }}", "<|user|>[Data]"},
        Case{"{{ '<' + x + '>' }}", "<[Data]>"}, Case{"{{ '<' ~ x ~ 1 ~ '>' }}", "<[Data]1>"},
        Case{"{{ x|upper }}{{ x|lower }}{{ x|capitalize }}{{ x|title }}", "[DATAdataDataData]"},
        Case{"{{ y|trim }}{{ y.strip() }}{{ y.lstrip(' t') }}", "[two wordstwo wordswo words\n]"},
        Case{"{{ x[1:] }}{{ x[0] }}{{ x[::-1] }}{{ x|reverse }}", "[ataDataDataD]"},
        Case{"{{ x|first }}{{ x|last }}{% for c in x %}-{{ c }}{% endfor %}", "[Da]-[D]-[a]-[t]-[a]"},
        Case{"{{ x|replace('a', '<>') }}", "[D]<>[t]<>"}, Case{"{{ x.replace('t', x) }}", "[DaDataa]"},
        Case{"{{ y.split()|join('|') }}", "[two]|[words]"},
        // Names that are unpacked from data.
        Case{"{{ dict(**t).items()|first|first }}|{{ dict(t, k=1)|list|join(',') }}",
             "[name]|[name],[n],[list],k"},
        Case{"{% macro m() %}{{ kwargs|list|join(',') }}{% endmacro %}{{ m(k=1, **t) }}",
             "k,[name],[n],[list]"},
        Case{"{{ [x, 1, y|trim]|join(', ') }}", "[Data], 1, [two words]"},
        Case{"{{ x.join(['1', '2']) }}", "1[Data]2"}, Case{"{{ x * 2 }}", "[DataData]"},
        Case{"{{ '%s=%5s' % (x, 'k') }}", "[Data]=    k"}, Case{"{{ x % () }}", "[Data]"},
        Case{"{{ '{}:{a}'.format(x, a=x) }}", "[Data]:[Data]"}, Case{"{{ 'v%s'|format(x) }}", "v[Data]"},
        Case{"{{ x|center(8) }}{{ x.ljust(6, '.') }}", "  [Data]  [Data].."},
        Case{"{{ q|tojson }}", "\"[it's \\\"q\\\"\\n]\""}, Case{"{{ q|e }}", "[it&#39;s &#34;q&#34;\n]"},
        Case{"{{ [q, x] }}", "['[it\\'s \"q\"\\n]', '[Data]']"},
        Case{"{{ t|tojson }}", R"({"[name]": "[f<|x|>]", "[n]": 1, "[list]": ["[a]", null]})"},
        Case{"{{ t }}", R"({'[name]': '[f<|x|>]', '[n]': 1, '[list]': ['[a]', None]})"},
        Case{"{% for k, v in t.items() %}{{ k }}={{ v|string }};{% endfor %}",
             "[name]=[f<|x|>];[n]=1;[list]=['[a]', None];"},
        Case{"{{ t|dictsort|first|first }}{{ t.keys()|list|last }}", "[listlist]"},
        Case{"{{ (t|tojson|from_json).name }}{{ '{\"a\": \"b\"}'|from_json }}", "[f<|x|>]{'a': 'b'}"},
        Case{"{{ y|indent(2, true) }}", "  [ two words]\n"},
        Case{"{{ (y ~ x)|indent }}", "[ two words]\n    [Data]"},
        Case{"{% set z %}<{{ x }}>{% endset %}{{ z|upper }}", "<[DATA]>"},
        Case{"{% macro m(a) %}<{{ a }}>{% endmacro %}{{ m(x)|lower }}", "<[data]>"},
        Case{"{% filter upper %}a{{ x }}b{% endfilter %}", "A[DATA]B"},
        Case{"{% set ns = namespace(s='') %}{% for i in [x, y|trim] %}{% set ns.s = ns.s ~ i ~ ',' %}{% "
             "endfor %}{{ ns.s }}",
             "[Data],[two words],"},
        Case{"{{ x if x is string else '' }}{{ missing|default(x) }}{{ x or 'n' }}", "[DataDataData]"},
        Case{"{{ [y, x]|map('trim')|sort|join(' ') }}", "[Data] [two words]"},
        Case{"{{ [x, x]|unique|join }}{{ [x, y]|max|trim }}", "[DataData]"},
        Case{"{{ q.splitlines()|first }}{{ q.partition(' ')|join('~') }}", "[it's \"q\"it's]~ ~[\"q\"\n]"},
        Case{"{{ t['name'][1:] ~ x|length }}", "[<|x|>]4"}));

TEST(ProvenanceRuns, TellPiecesOfDataApart) {
  const Rendered rendered = render("{{ x }}{{ y|trim }}-", kNames);
  EXPECT_EQ(rendered.runs, (std::vector<OriginRun>{{0, 4, 1}, {4, 13, 2}, {13, 14, 0}}));
}

TEST(ProvenanceRuns, AreEmptyForAnEmptyOutput) { EXPECT_TRUE(render("{{ missing }}", kNames).runs.empty()); }

}  // namespace
}  // namespace parley::orchestration::jinja
