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
  const Names names = {
      {"big", Value::text(std::string(1 << 20, 'a'), 1)},
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
