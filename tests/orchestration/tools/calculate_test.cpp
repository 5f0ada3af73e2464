#include "orchestration/tools/calculate.h"

#include <gtest/gtest.h>

#include <chrono>

#include <boost/json/parse.hpp>

#include "tests/orchestration/tools/scratch_folder.h"

namespace parley::orchestration::tools {
namespace {

std::string result(std::string_view expression) {
  const Calculation done = calculate(expression);
  return done.problem.empty() ? done.text : "problem: " + done.problem;
}

// From Python's fractions and mpmath (tests/goldens/tools/make_tools_goldens.py).
TEST(Calculate, AgreesWithIndependentArithmetic) {
  const auto cases =
      boost::json::parse(ScratchFolder::read(PARLEY_SOURCE_DIR "/tests/goldens/tools/calculator.json"));
  ASSERT_GT(cases.as_array().size(), 300u);
  for (const auto& item : cases.as_array()) {
    const std::string expression(item.at("expression").as_string());
    if (item.at("result").is_null()) {
      EXPECT_EQ(result(expression), "problem: Division by zero.") << expression;
    } else {
      EXPECT_EQ(result(expression), std::string(item.at("result").as_string())) << expression;
    }
  }
}

TEST(Calculate, IsExactWherePeopleExpectIt) {
  const std::pair<const char*, const char*> cases[] = {{"0.1 + 0.2", "0.3"},
                                                       {"1/3", "0.33333333333333333333 (exactly 1/3)"},
                                                       {"1/3*3", "1"},
                                                       {"2^100", "1267650600228229401496703205376"},
                                                       {"2**10", "1024"},
                                                       {"-2^2", "-4"},
                                                       {"(-2)^2", "4"},
                                                       {"2^3^2", "512"},
                                                       {"2^-2", "0.25"},
                                                       {"0^0", "1"},
                                                       {"7 % 3", "1"},
                                                       {"(-7) % 3", "2"},
                                                       {"7 % (-3)", "-2"},
                                                       {"15% * 80", "12"},
                                                       {"200 * 15%", "30"},
                                                       {"(5%)", "0.05"},
                                                       {"sqrt(16)", "4"},
                                                       {"sqrt(2.25)", "1.5"},
                                                       {"4^0.5", "2"},
                                                       {"round(2.5)", "3"},
                                                       {"round(-2.5)", "-3"},
                                                       {"round(2.345, 2)", "2.35"},
                                                       {"round(1234, -2)", "1200"},
                                                       {"min(3, 1/2, 2)", "0.5"},
                                                       {"max(1, pi, 3)", "3.1415926535897932385"},
                                                       {"log(1000)", "3"},
                                                       {"log(8, 2)", "3"},
                                                       {"log10(0.001)", "-3"},
                                                       {"log2(1/8)", "-3"},
                                                       {"ln(1)", "0"},
                                                       {"exp(0)", "1"},
                                                       {"sin(pi)", "0"},
                                                       {"cos(pi/2)", "0"},
                                                       {"SIN(0) + Abs(-1)", "1"},
                                                       {"3 \xC3\x97 4 \xC3\xB7 2 \xE2\x88\x92 1", "5"},
                                                       {"\xCF\x80 - pi", "0"},
                                                       {"1_000 + .5 + 5.", "1005.5"},
                                                       {"007", "7"},
                                                       {"1e3", "1000"},
                                                       {"--1", "1"},
                                                       {" 1\t+\n1 ", "2"},
                                                       {"(-1)^100001", "-1"}};
  for (const auto& [expression, expected] : cases) EXPECT_EQ(result(expression), expected) << expression;
}

TEST(Calculate, SaysWhatIsWrongAndWhere) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "ends too early"},
      {"1 +", "ends too early"},
      {"1 + * 2", "\"*\" at character 5"},
      {"2 3", "\"3\" at character 3"},
      {"2(3)", "\"(\" at character 2"},
      {"(1", "A parenthesis is not closed."},
      {"1)", "\")\" at character 2"},
      {"1,000 + 2", "write 1000, not 1,000"},
      {"x = 2", "\"x\" at character 1 is not known"},
      {"1 = 1", "without \"=\" at character 3"},
      {"foo(1)", "\"foo\" at character 1 is not known"},
      {"sqrt 2", "\"sqrt\" needs its argument in parentheses"},
      {"sqrt()", "sqrt takes one argument"},
      {"sqrt(1, 2)", "sqrt takes one argument"},
      {"log(1, 2, 3)", "log takes"},
      {"1/0", "Division by zero."},
      {"1 % 0", "Division by zero."},
      {"0^-1", "Division by zero."},
      {"sqrt(-1)", "square root of a negative"},
      {"(-8)^(1/3)", "root of a negative"},
      {"ln(0)", "Only positive"},
      {"log(5, 1)", "base 1"},
      {"asin(2)", "from -1 to 1"},
      {"tan(pi/2)", "no value"},
      {"sin(1e30)", "too large"},
      {"round(1, 0.5)", "whole number of decimals"},
      {"20% + 5", "For per cent write 20/100"},
      {"9^9^9^9", "too large"},
      {"1e9999", "larger than 1000"},
      {"1e99999999999999999999", "larger than 1000"},
      {".", "no digits"},
      {"1 $ 2", "\"$\" at character 3"},
      {"import os", "\"import\" at character 1"},
      {"1 \x01", "a character at character 3"},
      {"\xF0\x9F\x98\x80", "a character at character 1"}};
  for (const auto& [expression, words] : cases) {
    EXPECT_EQ(result(expression).find("problem: "), 0u) << expression << " -> " << result(expression);
    EXPECT_NE(result(expression).find(words), std::string::npos)
        << expression << " -> " << result(expression);
  }
}

TEST(Calculate, HostileExpressionsEndSoon) {
  std::string powers = "2";
  for (int i = 0; i < 60; ++i) powers += "^2.5";
  std::string products = "1.0000001";
  for (int i = 0; i < 190; ++i) products += "*9999999.1";
  const std::string hostile[] = {std::string(1000, '(') + std::string(1000, ')'),
                                 std::string(1999, '-') + "1",
                                 std::string(1999, '9'),
                                 std::string(900, '9') + "^" + std::string(900, '9'),
                                 "1/" + std::string(900, '7') + "^3000",
                                 powers,
                                 products,
                                 "exp(exp(exp(exp(10))))",
                                 "(1+1e-900)^1e900",
                                 "1e1000^1e1000",
                                 "floor(exp(1000)*pi) % 7.1",
                                 "log(2^3000, 1+1e-300)",
                                 "min(" + std::string(900, '1') + ",2)",
                                 std::string(3000, '1')};
  for (const std::string& expression : hostile) {
    const auto start = std::chrono::steady_clock::now();
    EXPECT_NE(result(expression), "") << expression.substr(0, 40);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(2)) << expression.substr(0, 40);
  }
  EXPECT_NE(result(hostile[0]).find("nested too deeply"), std::string::npos);
}

}  // namespace
}  // namespace parley::orchestration::tools
