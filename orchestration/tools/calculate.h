#pragma once
// Evaluates an arithmetic expression: + - * / % ^ (also **, × ÷ −), parentheses, the functions of
// calculator_functions.h, pi and e. Exact with fractions, else to 20 digits. Pure, any thread; bounded in
// length, depth, digits and time. What is wrong with an expression is a sentence with the place.
//   -2^2 is -4, 2^3^2 is 512; a % b is the remainder, with the sign of b; 20% before an end, a parenthesis, a
//   comma, * or / is a fifth

#include <string>
#include <string_view>

namespace parley::orchestration::tools {

struct Calculation {
  std::string text;     // the number
  std::string problem;  // not empty: a sentence, and no number
};

Calculation calculate(std::string_view expression);

}  // namespace parley::orchestration::tools
