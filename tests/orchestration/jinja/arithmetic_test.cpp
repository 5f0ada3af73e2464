// Arithmetic: what Python makes of it, and identities over many operands. Expected texts are those of
// Python's jinja2.

#include "orchestration/jinja/arithmetic.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "tests/orchestration/jinja/render_helper.h"

namespace parley::orchestration::jinja {
namespace {

using Kind = Value::Kind;
using Integer = std::int64_t;

TEST(Arithmetic, IsPythons) {
  expect_renders({
      {"{{ 7 / 2, 6 / 2, 7 // 2, -7 // 2, 7 // -2, 7.5 // 2 }}", "(3.5, 3.0, 3, -4, -4, 3.0)"},
      {"{{ -7 % 3, 7 % -3, 7.5 % 2, -0.5 % 1, 5 % -2.5 }}", "(2, -2, 1.5, 0.5, -0.0)"},
      {"{{ 2 ** 10, 2 ** -1, 0 ** 0, 2.0 ** 3, (-2) ** 3 }}", "(1024, 0.5, 1, 8.0, -8)"},
      {"{{ 1 + true, true + true, 0.1 + 0.2, 1.5e300 * 1e10 }}", "(2, 2, 0.30000000000000004, inf)"},
      {"{{ 9223372036854775807 - 1, -9223372036854775807 - 1 }}",
       "(9223372036854775806, -9223372036854775808)"},
      {"{{ 1e308 * 10, -1e308 * 10, 1.0 - 1 }}", "(inf, -inf, 0.0)"},
  });
}

TEST(Arithmetic, JoinsAndRepeatsSequences) {
  expect_renders({
      {"{{ 'a' + 'b', [1] + [2], (1,) + (2,), '' + '' }}", "('ab', [1, 2], (1, 2), '')"},
      {"{{ 'ab' * 3, 3 * 'ab', [0] * 3, 2 * [1, 2], (1,) * 2, 'a' * 0, 'a' * -1, true * 'x' }}",
       "('ababab', 'ababab', [0, 0, 0], [1, 2, 1, 2], (1, 1), '', '', 'x')"},
      {"{{ '%s' % 1, '%s-%s' % (1, 2) }}", "('1', '1-2')"},
  });
}

TEST(Arithmetic, RefusesTypesThatDoNotGoTogether) {
  expect_failures({
      {"{{ 'a' + 1 }}", "unsupported operand types for +: 'str' and 'int'"},
      {"{{ none - 1 }}", "unsupported operand types for -: 'NoneType' and 'int'"},
      {"{{ [1] + (1,) }}", "unsupported operand types for +: 'list' and 'tuple'"},
      {"{{ {} * 2 }}", "unsupported operand types for *: 'dict' and 'int'"},
      {"{{ 'a' * 1.5 }}", "unsupported operand types for *: 'str' and 'float'"},
      {"{{ 'a' // 2 }}", "unsupported operand types for //"},
      {"{{ 1 ** 'a' }}", "unsupported operand types for **"},
      {"{{ 1 / 0 }}", "division by zero"},
      {"{{ 1 // 0 }}", "division by zero"},
      {"{{ 1 % 0 }}", "division by zero"},
      {"{{ 1.5 // 0 }}", "division by zero"},
      {"{{ 0 ** -1 }}", "division by zero"},
  });
}

class ArithmeticTest : public testing::Test {
 protected:
  Value calculated(Arithmetic operation, const Value& a, const Value& b) {
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

TEST_F(ArithmeticTest, QuotientAndRestMakeTheDividend) {
  for (const Integer a : kIntegers) {
    for (const Integer b : kIntegers) {
      if (b == 0 || (a == std::numeric_limits<Integer>::min() && b == -1)) continue;
      const Integer quotient =
          calculated(Arithmetic::floor_divide, Value::integer(a), Value::integer(b)).as_integer();
      const Integer rest = calculated(Arithmetic::modulo, Value::integer(a), Value::integer(b)).as_integer();
      EXPECT_EQ(static_cast<__int128>(quotient) * b + rest, a) << a << " " << b;
      EXPECT_TRUE(rest == 0 || (rest < 0) == (b < 0)) << a << " " << b;
      EXPECT_TRUE(b < 0 ? rest > b : rest < b) << a << " " << b;
    }
  }
}

TEST_F(ArithmeticTest, OverflowIsAnErrorAndNothingElseIs) {
  const auto check = [this](Arithmetic operation, Integer a, Integer b, __int128 exact) {
    const bool fits =
        exact >= std::numeric_limits<Integer>::min() && exact <= std::numeric_limits<Integer>::max();
    if (fits) {
      EXPECT_EQ(calculated(operation, Value::integer(a), Value::integer(b)).as_integer(),
                static_cast<Integer>(exact));
    } else {
      EXPECT_THROW(calculated(operation, Value::integer(a), Value::integer(b)), TemplateError);
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

TEST_F(ArithmeticTest, PowersOfIntegersAreExact) {
  for (Integer base = -12; base <= 12; ++base) {
    __int128 exact = 1;
    for (Integer exponent = 0; exponent <= 70; ++exponent) {
      const bool fits =
          exact >= std::numeric_limits<Integer>::min() && exact <= std::numeric_limits<Integer>::max();
      if (!fits) {
        EXPECT_THROW(calculated(Arithmetic::power, Value::integer(base), Value::integer(exponent)),
                     TemplateError);
        break;
      }
      EXPECT_EQ(calculated(Arithmetic::power, Value::integer(base), Value::integer(exponent)).as_integer(),
                static_cast<Integer>(exact))
          << base << " ** " << exponent;
      exact *= base;
    }
  }
}

TEST_F(ArithmeticTest, FloatQuotientsFollowTheirRests) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> any(-1000, 1000);
  for (int i = 0; i < 2000; ++i) {
    const double a = any(random);
    const double b = any(random);
    const double quotient =
        calculated(Arithmetic::floor_divide, Value::floating(a), Value::floating(b)).as_floating();
    const double rest = calculated(Arithmetic::modulo, Value::floating(a), Value::floating(b)).as_floating();
    EXPECT_EQ(quotient, std::floor(quotient));
    EXPECT_NEAR(quotient * b + rest, a, 1e-9 * std::fabs(a) + 1e-9);
    EXPECT_TRUE(rest == 0 || (rest < 0) == (b < 0));
  }
}

TEST_F(ArithmeticTest, DivisionIsAlwaysOfFloats) {
  EXPECT_EQ(calculated(Arithmetic::divide, Value::integer(6), Value::integer(3)).kind(), Kind::floating);
  EXPECT_THROW(calculated(Arithmetic::divide, Value::integer(6), Value::integer(0)), TemplateError);
  EXPECT_THROW(calculated(Arithmetic::power, Value::integer(0), Value::integer(-1)), TemplateError);
  EXPECT_THROW(calculated(Arithmetic::power, Value::floating(-8), Value::floating(0.5)), TemplateError);
}

TEST_F(ArithmeticTest, NegationIsSubtractionFromZero) {
  EXPECT_EQ(negate(interpreter_, Value::integer(5)).as_integer(), -5);
  EXPECT_EQ(negate(interpreter_, Value::boolean(true)).as_integer(), -1);
  EXPECT_TRUE(std::signbit(negate(interpreter_, Value::floating(0)).as_floating()));
  EXPECT_THROW(negate(interpreter_, Value::integer(std::numeric_limits<Integer>::min())), TemplateError);
  EXPECT_THROW(negate(interpreter_, Value::none()), TemplateError);
}

TEST_F(ArithmeticTest, TruncationRefusesWhatIsTooLarge) {
  EXPECT_EQ(truncate(interpreter_, -2.9), -2);
  for (const double number :
       {1e19, -1e19, 9223372036854775808.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_THROW(truncate(interpreter_, number), TemplateError) << number;
  }
}

}  // namespace
}  // namespace parley::orchestration::jinja
