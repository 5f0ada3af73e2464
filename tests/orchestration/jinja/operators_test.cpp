// Arithmetic and comparison beyond what the goldens hold: identities over many operands.

#include "orchestration/jinja/operators.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "tests/orchestration/jinja/render_helper.h"

namespace parley::orchestration::jinja {
namespace {

using Kind = Value::Kind;
using Integer = std::int64_t;

class Operators : public testing::Test {
 protected:
  Value calculate_all(Arithmetic operation, const Value& a, const Value& b) {
    return calculate(interpreter_, operation, a, b);
  }
  RenderLimits limits_ = {.max_steps = 100'000'000};
  Interpreter interpreter_{"", limits_, {}};
};

const std::vector<Integer> kIntegers = {0,
                                        1,
                                        -1,
                                        2,
                                        -2,
                                        3,
                                        7,
                                        -7,
                                        10,
                                        63,
                                        64,
                                        1'000'003,
                                        -999'999'937,
                                        std::numeric_limits<Integer>::max(),
                                        std::numeric_limits<Integer>::min()};

TEST_F(Operators, QuotientAndRestMakeTheDividend) {
  for (const Integer a : kIntegers) {
    for (const Integer b : kIntegers) {
      if (b == 0 || (a == std::numeric_limits<Integer>::min() && b == -1)) continue;
      const Integer quotient =
          calculate_all(Arithmetic::floor_divide, Value::integer(a), Value::integer(b)).as_integer();
      const Integer rest =
          calculate_all(Arithmetic::modulo, Value::integer(a), Value::integer(b)).as_integer();
      EXPECT_EQ(static_cast<__int128>(quotient) * b + rest, a) << a << " " << b;
      EXPECT_TRUE(rest == 0 || (rest < 0) == (b < 0)) << a << " " << b;
      EXPECT_TRUE(b < 0 ? rest > b : rest < b) << a << " " << b;
    }
  }
}

TEST_F(Operators, OverflowIsAnErrorAndNothingElseIs) {
  const auto check = [this](Arithmetic operation, Integer a, Integer b, __int128 exact) {
    const bool fits =
        exact >= std::numeric_limits<Integer>::min() && exact <= std::numeric_limits<Integer>::max();
    if (fits) {
      EXPECT_EQ(calculate_all(operation, Value::integer(a), Value::integer(b)).as_integer(),
                static_cast<Integer>(exact));
    } else {
      EXPECT_THROW(calculate_all(operation, Value::integer(a), Value::integer(b)), TemplateError);
    }
  };
  for (const Integer a : kIntegers) {
    for (const Integer b : kIntegers) {
      check(Arithmetic::add, a, b, static_cast<__int128>(a) + b);
      check(Arithmetic::subtract, a, b, static_cast<__int128>(a) - b);
      check(Arithmetic::multiply, a, b, static_cast<__int128>(a) * b);
    }
  }
}

TEST_F(Operators, PowersOfIntegersAreExact) {
  for (Integer base = -12; base <= 12; ++base) {
    __int128 exact = 1;
    for (Integer exponent = 0; exponent <= 70; ++exponent) {
      const bool fits =
          exact >= std::numeric_limits<Integer>::min() && exact <= std::numeric_limits<Integer>::max();
      if (!fits) {
        EXPECT_THROW(calculate_all(Arithmetic::power, Value::integer(base), Value::integer(exponent)),
                     TemplateError);
        break;
      }
      EXPECT_EQ(calculate_all(Arithmetic::power, Value::integer(base), Value::integer(exponent)).as_integer(),
                static_cast<Integer>(exact))
          << base << " ** " << exponent;
      exact *= base;
    }
  }
}

TEST_F(Operators, FloatQuotientsFollowTheirRests) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> any(-1000, 1000);
  for (int i = 0; i < 2000; ++i) {
    const double a = any(random);
    const double b = any(random);
    const double quotient =
        calculate_all(Arithmetic::floor_divide, Value::floating(a), Value::floating(b)).as_floating();
    const double rest =
        calculate_all(Arithmetic::modulo, Value::floating(a), Value::floating(b)).as_floating();
    EXPECT_EQ(quotient, std::floor(quotient));
    EXPECT_NEAR(quotient * b + rest, a, 1e-9 * std::fabs(a) + 1e-9);
    EXPECT_TRUE(rest == 0 || (rest < 0) == (b < 0));
  }
}

TEST_F(Operators, DivisionIsAlwaysOfFloats) {
  EXPECT_EQ(calculate_all(Arithmetic::divide, Value::integer(6), Value::integer(3)).kind(), Kind::floating);
  EXPECT_THROW(calculate_all(Arithmetic::divide, Value::integer(6), Value::integer(0)), TemplateError);
  EXPECT_THROW(calculate_all(Arithmetic::power, Value::integer(0), Value::integer(-1)), TemplateError);
  EXPECT_THROW(calculate_all(Arithmetic::power, Value::floating(-8), Value::floating(0.5)), TemplateError);
}

TEST_F(Operators, NumbersCompareExactly) {
  const Integer large = (Integer{1} << 53) + 1;
  EXPECT_FALSE(equal(interpreter_, Value::integer(large), Value::floating(9007199254740992.0)));
  EXPECT_TRUE(less(interpreter_, Value::floating(9007199254740992.0), Value::integer(large)));
  EXPECT_TRUE(equal(interpreter_, Value::boolean(true), Value::floating(1.0)));
  EXPECT_FALSE(equal(interpreter_, Value::floating(std::nan("")), Value::floating(std::nan(""))));
}

TEST_F(Operators, OrderIsTotalOverTextAndNumbers) {
  const std::vector<std::string> texts = {"", "A", "B", "a", "aa", "ab", "b", "z", "é", "€", "😀"};
  for (std::size_t i = 0; i < texts.size(); ++i) {
    for (std::size_t j = 0; j < texts.size(); ++j) {
      const Value left = Value::text(texts[i], 0);
      const Value right = Value::text(texts[j], 0);
      EXPECT_EQ(less(interpreter_, left, right), i < j);
      EXPECT_EQ(equal(interpreter_, left, right), i == j);
    }
  }
}

TEST_F(Operators, WhatHasNoOrderFails) {
  const Value values[] = {Value::none(),   Value::integer(1), Value::text("x", 0),
                          Value::list({}), Value::dict({}),   Value()};
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j < 6; ++j) {
      const bool ordered = i == j && (i == 1 || i == 2 || i == 3);
      if (ordered) continue;
      EXPECT_THROW(less(interpreter_, values[i], values[j]), TemplateError) << i << j;
      EXPECT_EQ(equal(interpreter_, values[i], values[j]), i == j) << i << j;
    }
  }
}

TEST_F(Operators, NegationIsSubtractionFromZero) {
  EXPECT_EQ(negate(interpreter_, Value::integer(5)).as_integer(), -5);
  EXPECT_EQ(negate(interpreter_, Value::boolean(true)).as_integer(), -1);
  EXPECT_TRUE(std::signbit(negate(interpreter_, Value::floating(0)).as_floating()));
  EXPECT_THROW(negate(interpreter_, Value::integer(std::numeric_limits<Integer>::min())), TemplateError);
  EXPECT_THROW(negate(interpreter_, Value::none()), TemplateError);
}

TEST_F(Operators, TruncationRefusesWhatIsTooLarge) {
  EXPECT_EQ(truncate(interpreter_, -2.9), -2);
  for (const double number :
       {1e19, -1e19, 9223372036854775808.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_THROW(truncate(interpreter_, number), TemplateError) << number;
  }
}

}  // namespace
}  // namespace parley::orchestration::jinja
