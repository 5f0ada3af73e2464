#include "orchestration/tools/calculator_number.h"

#include <algorithm>
#include <utility>

namespace parley::orchestration::tools {
namespace {

namespace mp = boost::multiprecision;

constexpr unsigned kMaxBits = 3322;  // 1000 decimal digits
constexpr int kShownDigits = 20;
constexpr std::size_t kMaxDecimals = 60;
constexpr std::size_t kMaxFraction = 40;  // characters
constexpr int kMaxPlainExponent = 21;     // beyond it 1.5e22
constexpr int kMinPlainExponent = -7;

unsigned bits_of(const Integer& integer) { return integer == 0 ? 0 : mp::msb(mp::abs(integer)) + 1; }

bool too_long(const Rational& value) {
  return bits_of(mp::numerator(value)) > kMaxBits || bits_of(mp::denominator(value)) > kMaxBits;
}

Rational inverse(const Rational& value) { return Rational(mp::denominator(value), mp::numerator(value)); }

Rational whole_power(Rational base, unsigned exponent) {
  Rational result = 1;
  for (; exponent > 0; exponent >>= 1) {
    if ((exponent & 1) != 0) result *= base;
    if (exponent > 1) base *= base;
  }
  return result;
}

// Nullopt-like: false where the root is no fraction.
bool exact_root(const Rational& value, Rational& root) {
  Integer rest;
  const Integer top = mp::sqrt(Integer(mp::numerator(value)), rest);
  if (rest != 0) return false;
  const Integer bottom = mp::sqrt(Integer(mp::denominator(value)), rest);
  if (rest != 0) return false;
  root = Rational(top, bottom);
  return true;
}

Integer floor_of_exact(const Rational& value) {
  const Integer top = mp::numerator(value);
  const Integer bottom = mp::denominator(value);
  Integer quotient = top / bottom;
  if (top < 0 && quotient * bottom != top) --quotient;
  return quotient;
}

const Number* failed_of(const Number& a, const Number& b) {
  if (a.problem() != nullptr) return &a;
  return b.problem() != nullptr ? &b : nullptr;
}

void strip_zeros(std::string& digits) {
  digits.erase(std::max<std::size_t>(digits.find_last_not_of('0') + 1, 1));
}

// Of "d.ddddde±x" without needless zeros, plain where that reads well.
std::string rounded_text(const Real& value) {
  if (value == 0) return "0";
  const std::string scientific = Real(mp::abs(value)).str(kShownDigits - 1, std::ios_base::scientific);
  const std::size_t e = scientific.find('e');
  const int exponent = std::stoi(scientific.substr(e + 1));
  std::string digits = scientific.substr(0, 1) + scientific.substr(2, e - 2);
  strip_zeros(digits);
  const std::string sign = value < 0 ? "-" : "";
  if (exponent > kMaxPlainExponent || exponent < kMinPlainExponent) {
    const std::string fraction = digits.size() > 1 ? "." + digits.substr(1) : "";
    return sign + digits[0] + fraction + "e" + std::to_string(exponent);
  }
  if (exponent < 0) return sign + "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
  const auto whole = static_cast<std::size_t>(exponent) + 1;
  if (digits.size() <= whole) return sign + digits + std::string(whole - digits.size(), '0');
  return sign + digits.substr(0, whole) + "." + digits.substr(whole);
}

// How many decimals the fraction has; kMaxDecimals + 1: too many, or without an end.
std::size_t count_decimals(Integer denominator) {
  std::size_t twos = 0;
  std::size_t fives = 0;
  for (; twos <= kMaxDecimals && denominator % 2 == 0; ++twos) denominator /= 2;
  for (; fives <= kMaxDecimals && denominator % 5 == 0; ++fives) denominator /= 5;
  return denominator == 1 ? std::max(twos, fives) : kMaxDecimals + 1;
}

std::string exact_text(const Rational& value) {
  const Integer bottom = mp::denominator(value);
  const std::size_t decimals = count_decimals(bottom);
  if (decimals > kMaxDecimals) {
    std::string text = rounded_text(Real(value));
    const std::string fraction = value.str();
    if (fraction.size() <= kMaxFraction) text += " (exactly " + fraction + ")";
    return text;
  }
  const Integer scaled =
      mp::abs(mp::numerator(value)) * mp::pow(Integer(10), static_cast<unsigned>(decimals)) / bottom;
  std::string digits = scaled.str();
  if (digits.size() <= decimals) digits.insert(0, decimals + 1 - digits.size(), '0');
  if (decimals > 0) digits.insert(digits.size() - decimals, ".");
  return (value < 0 ? "-" : "") + digits;
}

}  // namespace

Number::Number(Rational exact) : value_(std::move(exact)) {
  if (too_long(std::get<Rational>(value_))) value_ = Real(std::get<Rational>(value_));
}

Number::Number(Real real) : value_(std::move(real)) {
  const bool real_result = !(mp::isnan)(std::get<Real>(value_));
  const bool finite = !(mp::isinf)(std::get<Real>(value_));
  if (!real_result) *this = failed("There is no real result.");
  if (real_result && !finite) *this = failed("The result is too large.");
}

Number Number::failed(std::string sentence) {
  Number number;
  number.value_ = std::move(sentence);
  return number;
}

Real Number::real() const { return is_exact() ? Real(exact()) : std::get<Real>(value_); }

bool Number::is_zero() const { return is_exact() ? exact() == 0 : std::get<Real>(value_) == 0; }

bool Number::is_integer() const { return is_exact() && mp::denominator(exact()) == 1; }

bool Number::operator<(const Number& other) const {
  return is_exact() && other.is_exact() ? exact() < other.exact() : real() < other.real();
}

std::string Number::text() const {
  return is_exact() ? exact_text(exact()) : rounded_text(std::get<Real>(value_));
}

Number add(const Number& a, const Number& b) {
  if (const Number* bad = failed_of(a, b)) return *bad;
  if (a.is_exact() && b.is_exact()) return Rational(a.exact() + b.exact());
  return Real(a.real() + b.real());
}

Number subtract(const Number& a, const Number& b) {
  if (const Number* bad = failed_of(a, b)) return *bad;
  if (a.is_exact() && b.is_exact()) return Rational(a.exact() - b.exact());
  return Real(a.real() - b.real());
}

Number multiply(const Number& a, const Number& b) {
  if (const Number* bad = failed_of(a, b)) return *bad;
  if (a.is_exact() && b.is_exact()) return Rational(a.exact() * b.exact());
  return Real(a.real() * b.real());
}

Number divide(const Number& a, const Number& b) {
  if (const Number* bad = failed_of(a, b)) return *bad;
  if (b.is_zero()) return Number::failed("Division by zero.");
  if (a.is_exact() && b.is_exact()) return Rational(a.exact() / b.exact());
  return Real(a.real() / b.real());
}

Number remainder(const Number& a, const Number& b) {
  if (const Number* bad = failed_of(a, b)) return *bad;
  return subtract(a, multiply(b, floor_of(divide(a, b))));  // fails where the division does
}

Number floor_of(const Number& a) {
  if (a.problem() != nullptr) return a;
  if (a.is_exact()) return Rational(floor_of_exact(a.exact()));
  return Real(mp::floor(a.real()));
}

Number square_root(const Number& a) {
  if (a.problem() != nullptr) return a;
  if (a < Number(Rational(0))) return Number::failed("The square root of a negative number is not real.");
  Rational root;
  if (a.is_exact() && exact_root(a.exact(), root)) return root;
  return Real(mp::sqrt(a.real()));
}

Number power(const Number& base, const Number& exponent) {
  if (const Number* bad = failed_of(base, exponent)) return *bad;
  if (base.is_zero() && exponent < Number(Rational(0))) return Number::failed("Division by zero.");
  if (base.is_zero()) return Rational(exponent.is_zero() ? 1 : 0);
  if (base.is_exact() && exponent.is_integer()) {
    const Integer count = mp::abs(mp::numerator(exponent.exact()));
    const unsigned bits =
        std::max(bits_of(mp::numerator(base.exact())), bits_of(mp::denominator(base.exact())));
    if (count * (bits - 1) <= kMaxBits && count <= kMaxBits) {
      const Rational result = whole_power(base.exact(), static_cast<unsigned>(count));
      return exponent < Number(Rational(0)) ? inverse(result) : result;
    }
  }
  const bool negative = base < Number(Rational(0));
  if (negative && !exponent.is_integer()) return Number::failed("A root of a negative number is not real.");
  const Real size = mp::pow(Real(mp::abs(base.real())), exponent.real());
  const bool odd = exponent.is_integer() && mp::numerator(exponent.exact()) % 2 != 0;
  return negative && odd ? Real(-size) : size;
}

}  // namespace parley::orchestration::tools
