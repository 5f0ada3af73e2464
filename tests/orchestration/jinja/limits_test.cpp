// Hostile templates end soon, with a reason, and leave nothing behind.

#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "orchestration/jinja/parse_json.h"
#include "tests/orchestration/jinja/render_helper.h"

namespace parley::orchestration::jinja {
namespace {

class HostileTemplate : public testing::TestWithParam<const char*> {};

TEST_P(HostileTemplate, EndsWithAnError) {
  std::string wide;
  while (wide.size() < 1 << 20) wide += "é";
  const Names names = {
      {"big", Value::text(std::string(1 << 20, 'a'), 1)},
      {"wide", Value::text(std::move(wide), 1)},
      {"messages", *parse_json(R"([{"role": "user", "content": "hi"}])", 1)},
  };
  const auto begin = std::chrono::steady_clock::now();
  const std::string error = error_of(GetParam(), names);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  EXPECT_NE(error, "");
  EXPECT_LT(seconds.count(), 20.0);  // a bound on the idea, not on a busy machine; usually far below 1 s
}

INSTANTIATE_TEST_SUITE_P(
    Limits, HostileTemplate,
    testing::Values(
        // recursion
        "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}",
        "{% macro f(x) %}{% for i in [1] %}{{ g(x) }}{% endfor %}{% endmacro %}{% macro g(x) %}{{ f(x) }}{% "
        "endmacro %}"
        "{{ g(1) }}",
        "{% macro f(a=f()) %}{% endmacro %}{{ f() }}",
        "{% macro f() %}{% call f() %}{{ caller() }}{% endcall %}{{ caller }}{% endmacro %}{{ f() }}",
        // loops
        "{% for a in range(100000) %}{% for b in range(100000) %}{% endfor %}{% endfor %}",
        "{% for a in range(10**9) %}{% endfor %}", "{{ range(10**18)|list }}",
        "{{ range(0, -(10**18), -1) }}",
        "{% for a in range(99999) %}{% for b in range(99999) if false %}{% endfor %}{% endfor %}",
        "{% for a in range(99999) %}{% set x = range(99999)|map('string')|map('upper')|list %}{% endfor %}",
        // memory by doubling
        "{% set ns = namespace(s='x') %}{% for i in range(99) %}{% set ns.s = ns.s + ns.s %}{% endfor %}",
        "{% set ns = namespace(s='x') %}{% for i in range(99) %}{% set ns.s = ns.s ~ ns.s %}{% endfor %}",
        "{% set ns = namespace(s=[1]) %}{% for i in range(99) %}{% set ns.s = ns.s + ns.s %}{% endfor %}",
        "{% set ns = namespace(s=[1]) %}{% for i in range(99) %}{% set ns.s = [ns.s, ns.s] %}{% endfor %}{{ "
        "ns.s }}",
        "{% set ns = namespace(s=[1]) %}{% for i in range(60) %}{% set ns.s = [ns.s, ns.s] %}{% endfor %}"
        "{{ ns.s|tojson }}",
        "{% set a = namespace(s=[1]) %}{% set b = namespace(s=[1]) %}{% for i in range(60) %}"
        "{% set a.s = [a.s, a.s] %}{% set b.s = [b.s, b.s] %}{% endfor %}{{ a.s == b.s }}",
        "{% set a = namespace(s=[1]) %}{% set b = namespace(s=[1]) %}{% for i in range(60) %}"
        "{% set a.s = [a.s, a.s] %}{% set b.s = [b.s, b.s] %}{% endfor %}{{ a.s < b.s }}",
        "{% set ns = namespace(s=big) %}{% for i in range(99) %}{% set ns.s = ns.s|replace('a', 'aa') %}{% "
        "endfor %}",
        "{% for i in range(99999) %}{% set x = big ~ i %}{% endfor %}",
        "{% for i in range(99999) %}{% set x = [big ~ i, big|upper] %}{% endfor %}",
        // memory at once
        "{{ 'x' * 10**10 }}", "{{ [0] * 10**10 }}", "{{ big * 10**12 }}", "{{ 'x'.center(10**12) }}",
        "{{ 'x'|center(10**12) }}", "{{ 'x'.ljust(10**9, 'é') }}", "{{ '5'.zfill(10**12) }}",
        "{{ 'a\nb'|indent(10**12) }}", "{{ [1]|tojson(indent=10**12) }}", "{{ '%999999999d' % 1 }}",
        "{{ big|list|map('string')|list|map('string')|list }}{{ (big|list) * 20 }}",
        "{{ ','.join(['x'] * 100000) * 10000 }}", "{{ [big]|map('replace', 'a', big)|list }}",
        "{{ big|replace('', big) }}", "{{ big|batch(1, 'x')|list * 99999 }}",
        "{{ [1]|batch(10**6, big)|list * 99999 }}",
        // output
        "{% for i in range(1000) %}{{ big }}{% endfor %}",
        "{% macro m() %}{{ big }}{% endmacro %}"
        "{% for i in range(1000) %}{{ m() }}{% endfor %}",
        // work without memory
        "{% for i in range(99999) %}{% set x = big|length %}{% endfor %}",
        "{% for i in range(99999) %}{% set x = 'b' in big %}{% endfor %}",
        "{% for i in range(99999) %}{% set x = big == big ~ '' %}{% endfor %}",
        "{% set h = big[:500000] ~ 'b' %}{% for i in range(99999) %}{% set x = big.rfind(h) %}{% endfor %}",
        "{% set h = big[:500000] ~ 'b' %}{% for i in range(99999) %}{% set x = h in big %}{% endfor %}",
        "{% for i in range(99999) %}{% set x = {big: 1}[big] %}{% endfor %}",
        "{% for i in range(99999) %}{% set x = big[i] %}{% endfor %}",
        "{% for i in range(99999) %}{% set x = big.strip('b') ~ big.split('b') %}{% endfor %}",
        "{% for i in range(99999) %}{% set x = big + 'a' %}{% endfor %}",
        "{% for i in range(99999) %}{% set x = wide|center(1) ~ '' %}{% endfor %}",
        "{% for i in range(99999) %}{% set x = wide.ljust(1) %}{% endfor %}",
        "{% for i in range(99999) %}{% set x = big is lower %}{% endfor %}",
        "{% for i in range(99999) %}{% set x = big|int %}{% endfor %}",
        "{% set l = [] %}{% for i in range(99999) %}{% set _ = l.append(big.format()) %}{% endfor %}",
        "{% set l = [] %}{% for i in range(99999) %}{% set _ = l.append(big % ()) %}{% endfor %}",
        "{% set d = {} %}{% set l = [] %}{% for i in range(99999) %}{% set _ = l.append(dict(l, **{big: 1})) "
        "%}{% endfor %}",
        "{% set h = 'a' * 250 ~ 'b' ~ 'a' * 4 %}{% for i in range(99999) %}{% set x = h in big %}{% endfor "
        "%}",
        "{% set x = (messages[0].content + 'b') * 60000000 %}{{ x|length }}",
        // depth
        "{% set ns = namespace(s=[]) %}{% for i in range(99999) %}{% set ns.s = [ns.s] %}{% endfor %}{{ ns.s "
        "}}",
        "{% set ns = namespace(s=[]) %}{% for i in range(99999) %}{% set ns.s = {'a': ns.s} %}{% endfor %}"
        "{{ ns.s|tojson }}",
        "{% set l = [] %}{% set _ = l.append(l) %}{{ l }}",
        "{% set l = [] %}{% set _ = l.append(l) %}{{ l|tojson }}",
        "{% set a = [] %}{% set _ = a.append(a) %}{% set b = [] %}{% set _ = b.append(b) %}{{ a == b }}",
        "{% set ns = namespace() %}{% set ns.l = [ns] %}{{ ns.l[0].l[0].l[0].nope.x }}",
        // arithmetic
        "{{ 2 ** 64 }}", "{{ 9223372036854775807 + 1 }}", "{{ -9223372036854775807 - 2 }}",
        "{{ 10 ** 10 ** 10 }}", "{{ 9223372036854775807 * 2 }}", "{{ -(-9223372036854775807 - 1) }}",
        "{{ (-9223372036854775807 - 1) // -1 }}", "{{ 1e300|int }}", "{{ '%d' % 1e300 }}",
        "{{ 10.0 ** 400 ** 2 }}{{ (-8) ** 0.5 }}"));

std::string numbered_dict(int count, const std::string& padding) {
  std::string json = "{";
  for (int i = 0; i < count; ++i) json += (i > 0 ? ",\"" : "\"") + padding + std::to_string(i) + "\":1";
  return json + "}";
}

// What hostile templates use: texts of a mebibyte, of one origin, in ASCII and not; a dict with long keys.
const Names& large_values() {
  static const Names kNames = [] {
    std::string wide;
    while (wide.size() < 1 << 20) wide += "é";
    return Names{{"big", Value::text(std::string(1 << 20, 'a'), 1)},
                 {"same", Value::text(std::string(1 << 20, 'a'), 2)},
                 {"wide", Value::text(std::move(wide), 1)},
                 {"letter", Value::text("b", 2)},
                 {"keys", *parse_json(numbered_dict(20, std::string(60'000, 'k')), 1)},
                 {"alike", *parse_json(numbered_dict(20, std::string(60'000, 'k')), 2)}};
  }();
  return kNames;
}

class WorkOfOperations : public testing::TestWithParam<const char*> {};

// Each looks at a mebibyte at least once, so that it is more than 2,000 steps whatever machine this is.
TEST_P(WorkOfOperations, IsCounted) {
  RenderLimits limits;
  limits.max_steps = 2000;
  EXPECT_NE(error_of(GetParam(), large_values(), limits).find("more than 2000 steps"), std::string::npos)
      << error_of(GetParam(), large_values(), limits);
}

INSTANTIATE_TEST_SUITE_P(
    Limits, WorkOfOperations,
    testing::Values(
        "{% set x = big + 'b' %}", "{% set x = big ~ 'b' %}", "{% set x = 'b' + big %}",
        "{% set x = big * 1 %}", "{% set x = big % () %}", "{% set x = '%s' % big %}",
        "{% set x = '%.1s' % big %}", "{% set x = '%r' % big %}", "{% set x = big == same %}",
        "{% set x = big < same %}", "{% set x = 'b' in big %}", "{% set x = big in big %}",
        "{% set x = wide.center(1) %}", "{% set x = wide|center(1) %}", "{% set x = wide.ljust(1) %}",
        "{% set x = wide.rjust(1) %}", "{% set x = big.zfill(1) %}", "{% set x = ('-' ~ big).zfill(1) %}",
        "{% set x = big.startswith(same) %}", "{% set x = big.endswith(same) %}",
        "{% set x = big.startswith(('b', same)) %}", "{% set x = big.removeprefix(same) %}",
        "{% set x = big.removesuffix(same) %}", "{% set x = big.strip('a') %}",
        "{% set x = 'b'.strip(big) %}", "{% set x = big.find('b') %}", "{% set x = big.rfind('b') %}",
        "{% set x = big.count('b') %}", "{% set x = big.replace('b', 'c') %}",
        "{% set x = big|replace('b', 'c') %}", "{% set x = big.split('b') %}", "{% set x = big.split() %}",
        "{% set x = big.rsplit('b') %}", "{% set x = big.rsplit() %}", "{% set x = big.splitlines() %}",
        "{% set x = big.partition('b') %}", "{% set x = big.rpartition('b') %}", "{% set x = big.format() %}",
        "{% set x = '{}'.format(big) %}", "{% set x = '{a}'.format(a=big) %}",
        "{% set x = ','.join([big]) %}", "{% set x = [big]|join %}", "{% set x = big.upper() %}",
        "{% set x = big.lower() %}", "{% set x = big.title() %}", "{% set x = big.capitalize() %}",
        "{% set x = big|title %}", "{% set x = big|escape %}", "{% set x = big|indent %}",
        "{% set x = big|wordcount %}", "{% set x = big|length %}", "{% set x = big|int %}",
        "{% set x = big|float %}", "{% set x = big is lower %}", "{% set x = big is upper %}",
        "{% set x = big.islower() %}", "{% set x = big.isalpha() %}", "{% set x = big is filter %}",
        "{% set x = big is test %}", "{% set x = big|list %}", "{% set x = big[1:] %}",
        "{% set x = big[::-1] %}", "{% set x = wide[400000] %}", "{% set x = {big: 1} %}",
        "{% set x = keys[big] %}", "{% set x = keys.get(big) %}", "{% set x = big in keys %}",
        "{% set x = keys == alike %}", "{% set x = keys.copy() %}", "{% set x = dict(keys) %}",
        "{% set x = dict(**keys) %}", "{% set x = namespace(**keys) %}",
        "{% set x = [big]|unique(true)|list %}", "{% set x = big|tojson %}",
        "{% set x = 1|tojson(separators=(big, '')) %}", "{% set x = 1|tojson(indent=big) %}",
        "{% set x = [big]|string %}", "{% set x = strftime_now(big) %}", "{% set x %}{{ big }}{% endset %}",
        "{{ big }}", "{% macro m() %}{{ big }}{% endmacro %}{% set x = m() %}"));

class MemoryOfOperations : public testing::TestWithParam<const char*> {};

// Each makes more than a mebibyte that stays.
TEST_P(MemoryOfOperations, IsCounted) {
  RenderLimits limits;
  limits.max_memory_bytes = 1 << 20;
  EXPECT_NE(error_of(GetParam(), large_values(), limits).find("more than 1 MiB of memory"), std::string::npos)
      << error_of(GetParam(), large_values(), limits);
}

INSTANTIATE_TEST_SUITE_P(
    Limits, MemoryOfOperations,
    testing::Values("{% set x = big + 'b' %}", "{% set x = 'b' ~ big %}", "{% set x = big * 1 %}",
                    "{% set x = big % () %}", "{% set x = big.format() %}", "{% set x = '%s' % big %}",
                    "{% set x = big.center(1048577) %}", "{% set x = ('-' ~ big[1:]).zfill(1) %}",
                    "{% set x = big.replace('b', 'c') %}", "{% set x = big.upper() %}",
                    "{% set x = ['', big]|join('b') %}", "{% set x = big|indent %}",
                    "{% set x = big|escape %}", "{% set x = big|tojson %}", "{% set x = [big]|string %}",
                    "{% set x = big|list %}", "{% set x = keys.copy() %}", "{% set x = dict(keys) %}",
                    "{% set x = dict(**keys) %}", "{% set x = namespace(**keys) %}", "{% set x = {big: 1} %}",
                    "{% set x = '%(a)s'|format(a=big) %}",
                    "{% macro m() %}{{ kwargs }}{% endmacro %}{% set x = m(**keys) %}",
                    "{% set x = [big]|unique(true)|list %}", "{% set x %}{{ big }}{% endset %}",
                    "{% macro m() %}{{ big }}{% endmacro %}{% set x = m() %}",
                    "{% filter trim %}{{ big }}{% endfilter %}",
                    // Of pieces of an origin each, which take more than their text.
                    "{% set x = (letter + 'c') * 30000 %}", "{% set x = ([letter] * 30000)|join('c') %}",
                    "{% set x = big[:30000]|replace('', 'c') %}",
                    "{% set x = (letter + 'c') * 1000 %}{% set x = x * 30 %}"));

// Pieces of an origin count in what is written as well.
TEST(Limits, OfOutputIsOneOfPiecesToo) {
  RenderLimits limits;
  limits.max_output_bytes = 1 << 16;
  const char* source = "{% for i in range(2000) %}{{ letter }}c{% endfor %}";
  EXPECT_EQ(error_of("{% for i in range(1000) %}{{ letter }}c{% endfor %}", large_values(), limits), "");
  EXPECT_NE(error_of(source, large_values(), limits).find("writes more than"), std::string::npos);
}

TEST(Limits, OfTimeIsThereForWhatStepsMiss) {
  RenderLimits limits;
  limits.max_steps = 100'000'000;
  limits.max_time = std::chrono::milliseconds(20);
  const std::string error =
      error_of("\n{% for a in range(9999) %}{% for b in range(9999) %}{% endfor %}{% endfor %}", {}, limits);
  EXPECT_NE(error.find("the template takes more than 20 ms"), std::string::npos) << error;
  EXPECT_NE(error.find("line 2"), std::string::npos) << error;
  limits.max_time = std::chrono::milliseconds(-1);
  EXPECT_THROW(render("{{ 1 }}", {}, limits), TemplateLimitError);
}

TEST(Limits, ErrorsAboutThemAreToldFromOthers) {
  RenderLimits limits;
  limits.max_steps = 100;
  EXPECT_THROW(render("{% for i in range(200) %}{% endfor %}", {}, limits), TemplateLimitError);
  limits = {};
  limits.max_memory_bytes = 1000;
  EXPECT_THROW(render("{{ 'x' * 2000 }}", {}, limits), TemplateLimitError);
  limits = {};
  limits.max_output_bytes = 5;
  EXPECT_THROW(render("123456", {}, limits), TemplateLimitError);
  for (const char* source :
       {"{{ raise_exception('no') }}", "{{ 1 + 'a' }}", "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}"}) {
    try {
      render(source);
      ADD_FAILURE() << source;
    } catch (const TemplateLimitError& error) {
      ADD_FAILURE() << error.what();
    } catch (const TemplateError&) {  // as it should be
    }
  }
}

// Names are found at once, however many a template sets.
TEST(Limits, TensOfThousandsOfVariablesAreFoundInTime) {
  std::string source;
  for (int i = 0; i < 20'000; ++i) source += "{% set v" + std::to_string(i) + " = 1 %}";
  source += "{% for i in range(99999) %}{% set x = v19999 %}{% endfor %}{{ v0 + v19999 }}";
  EXPECT_EQ(render_text(source), "2");
}

TEST(Limits, DeepValuesAreFreedWithoutRecursion) {
  EXPECT_EQ(
      render_text(
          "{% set ns = namespace(s=[]) %}{% for i in range(99999) %}{% set ns.s = [ns.s] %}{% endfor %}x"),
      "x");
  EXPECT_EQ(
      render_text("{% set ns = namespace(s={}) %}{% for i in range(99999) %}{% set ns.s = {'a': ns.s} %}"
                  "{% endfor %}x"),
      "x");
  EXPECT_EQ(
      render_text("{% set ns = namespace(m=1) %}{% for i in range(9999) %}{% set ns.m = [ns.m, ns].copy %}"
                  "{% endfor %}x"),
      "x");
}

TEST(Limits, CirclesAreFreed) {  // under the address sanitizer
  EXPECT_EQ(
      render_text("{% set l = [] %}{% set _ = l.append(l) %}{% set ns = namespace() %}{% set ns.a = ns %}"
                  "{% macro m() %}{% endmacro %}{% set ns.m = m %}{% set ns.f = l.append %}x"),
      "x");
}

TEST(Limits, AreThoseOfTheCaller) {
  RenderLimits limits;
  limits.max_steps = 100;
  EXPECT_NE(error_of("{% for i in range(200) %}{% endfor %}", {}, limits).find("more than 100 steps"),
            std::string::npos);
  limits = {};
  limits.max_range = 10;
  EXPECT_EQ(error_of("{{ range(10) }}", {}, limits), "");
  EXPECT_NE(error_of("{{ range(11) }}", {}, limits).find("Range too big"), std::string::npos);
  limits = {};
  limits.max_output_bytes = 10;
  EXPECT_EQ(error_of("0123456789", {}, limits), "");
  EXPECT_NE(error_of("0123456789a", {}, limits).find("writes more than"), std::string::npos);
  limits = {};
  limits.max_memory_bytes = 1 << 20;
  EXPECT_NE(error_of("{{ 'x' * 2000000 }}", {}, limits).find("1 MiB of memory"), std::string::npos);
}

TEST(Limits, MacrosMayCallEachOtherToTheDepthGiven) {
  RenderLimits limits;
  limits.max_depth = 10;
  const char* source = "{% macro f(n) %}{% if n > 1 %}{{ f(n - 1) }}{% endif %}{% endmacro %}{{ f(depth) }}";
  EXPECT_EQ(error_of(source, {{"depth", Value::integer(10)}}, limits), "");
  EXPECT_NE(error_of(source, {{"depth", Value::integer(11)}}, limits).find("more than 10 macro calls"),
            std::string::npos);
}

TEST(Limits, LeaveRoomForLongConversations) {
  ValueList messages;
  for (Origin i = 0; i < 5000; ++i) {
    Dict message;
    message.set("role", Value::text("user", kTemplateOrigin));
    message.set("content", Value::text(std::string(2000, 'x'), i + 1));
    messages.push_back(Value::dict(message));
  }
  const Names names = {{"messages", Value::list(messages)}};
  EXPECT_EQ(error_of("{% for m in messages %}{% if m.role == 'user' %}{{ '<' + m.role + '>' + m.content|trim "
                     "}}{% endif %}"
                     "{% endfor %}",
                     names),
            "");
  const std::string accumulated = render_text(
      "{% set ns = namespace(s='') %}{% for m in messages %}{% set ns.s = ns.s + m.content %}{% endfor %}{{ "
      "ns.s }}",
      names);
  EXPECT_EQ(accumulated.size(), 5000u * 2000u);
}

}  // namespace
}  // namespace parley::orchestration::jinja
