#pragma once
// The calculator's numbers: exact fractions as long as that is possible and reasonable (a thousand digits),
// else 50 decimal digits. Values; pure, any thread. What has no result is a failed Number with a sentence,
// and so is all that is calculated from it.

#include <string>
#include <variant>

#include <boost/multiprecision/cpp_dec_float.hpp>
#include <boost/multiprecision/cpp_int.hpp>

namespace parley::orchestration::tools {

using Integer = boost::multiprecision::cpp_int;
using Rational = boost::multiprecision::cpp_rational;
using Real = boost::multiprecision::cpp_dec_float_50;

class Number {
 public:
  Number() = default;
  Number(Rational exact);  // too many digits: becomes a Real
  Number(Real real);       // too large or not a number: fails
  static Number failed(std::string sentence);

  const std::string* problem() const { return std::get_if<std::string>(&value_); }  // nullptr: a number

  bool is_exact() const { return std::holds_alternative<Rational>(value_); }
  const Rational& exact() const { return std::get<Rational>(value_); }  // requires is_exact()
  Real real() const;                                                    // requires a number, as the rest does

  bool is_zero() const;
  bool is_integer() const;  // exact ones only
  bool operator<(const Number& other) const;

  // All digits where there are finitely (and not too) many, else 20 significant ones; a short fraction that
  // has no end is given too: "0.33333333333333333333 (exactly 1/3)".
  std::string text() const;

 private:
  std::variant<Rational, Real, std::string> value_;
};

Number add(const Number& a, const Number& b);
Number subtract(const Number& a, const Number& b);
Number multiply(const Number& a, const Number& b);
Number divide(const Number& a, const Number& b);
Number remainder(const Number& a, const Number& b);  // has the sign of b, as in Python
Number power(const Number& base, const Number& exponent);
Number square_root(const Number& a);
Number floor_of(const Number& a);

}  // namespace parley::orchestration::tools
