#include "orchestration/jinja/scopes.h"

#include <gtest/gtest.h>

#include "tests/orchestration/jinja/render_helper.h"

namespace parley::orchestration::jinja {
namespace {

constexpr NameId kA = 0;
constexpr NameId kB = 1;

std::int64_t number(const Value* value) { return value == nullptr ? -1 : value->as_integer(); }

TEST(Scopes, GlobalsAreFoundLast) {
  Scopes scopes({Value::integer(1), Value()});
  EXPECT_EQ(number(scopes.find(kA)), 1);
  EXPECT_EQ(scopes.find(kB), nullptr);
  scopes.assign(kA, Value::integer(2));
  EXPECT_EQ(number(scopes.find(kA)), 2);
}

TEST(Scopes, AssignmentsEndWithTheirScope) {
  Scopes scopes(ValueList(2));
  scopes.assign(kA, Value::integer(1));
  {
    const ScopeEntry inner(scopes);
    EXPECT_EQ(number(scopes.find(kA)), 1);
    scopes.assign(kA, Value::integer(2));
    scopes.assign(kB, Value::integer(3));
    EXPECT_EQ(number(scopes.find(kA)), 2);
  }
  EXPECT_EQ(number(scopes.find(kA)), 1);
  EXPECT_EQ(scopes.find(kB), nullptr);
}

TEST(Scopes, AReusedScopeIsEmpty) {
  Scopes scopes(ValueList(2));
  for (int i = 0; i < 3; ++i) {
    const ScopeEntry inner(scopes);
    EXPECT_EQ(scopes.find(kA), nullptr);
    scopes.assign(kA, Value::integer(i));
  }
}

TEST(Scopes, KeptScopesLiveOn) {
  Scopes scopes(ValueList(2));
  Scope* kept = nullptr;
  {
    const ScopeEntry outer(scopes);
    scopes.assign(kA, Value::integer(5));
    const ScopeEntry inner(scopes);
    scopes.assign(kB, Value::integer(6));
    kept = scopes.keep_current();
  }
  {
    const ScopeEntry other(scopes);
    scopes.assign(kA, Value::integer(7));
  }
  const ScopeEntry within(scopes, kept);
  EXPECT_EQ(number(scopes.find(kA)), 5);
  EXPECT_EQ(number(scopes.find(kB)), 6);
}

TEST(Scopes, MacrosSeeWhereTheyWereDefined) {
  EXPECT_EQ(render_text("{% set ns = namespace() %}{% for i in [1, 2] %}{% macro m() %}{{ i }}{% endmacro %}"
                        "{% if i == 1 %}{% set ns.m = m %}{% endif %}{% endfor %}"
                        "{% for i in [8, 9] %}{{ ns.m() }}{% endfor %}"),
            "11");
  EXPECT_EQ(render_text("{% macro outer() %}{% set x = 1 %}{% macro inner() %}{{ x }}{{ y }}{% endmacro %}"
                        "{{ inner() }}{% endmacro %}{% set y = 2 %}{{ outer() }}"),
            "12");
}

TEST(Scopes, RecursiveMacrosHaveTheirOwnVariables) {
  EXPECT_EQ(
      render_text(
          "{% macro f(n) %}{% set own = n %}{% if n > 0 %}{{ f(n - 1) }}{% endif %}{{ own }}{% endmacro %}"
          "{{ f(3) }}"),
      "0123");
}

}  // namespace
}  // namespace parley::orchestration::jinja
