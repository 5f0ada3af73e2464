#include "orchestration/tools/calculator_functions.h"

#include <algorithm>
#include <array>

#include <boost/math/constants/constants.hpp>

namespace parley::orchestration::tools {
namespace {

namespace mp = boost::multiprecision;

using Arguments = std::span<const Number>;
using Function = Number (*)(Arguments);

struct FunctionRow {
  std::string_view name;
  std::size_t min_arguments;
  std::size_t max_arguments;
  Function call;
};

constexpr std::size_t kAnyNumber = 1000;

Real pi() { return boost::math::constants::pi<Real>(); }

// What is nothing but the error of pi's 50 digits is zero: sin(pi) is 0.
Real without_noise(const Real& value) { return mp::abs(value) < Real("1e-45") ? Real(0) : value; }

std::optional<Number> bad_angle(const Number& x) {
  if (mp::abs(x.real()) > Real("1e20")) return Number::failed("The angle is too large for an exact result.");
  return std::nullopt;
}

Number sine(Arguments x) {
  if (auto bad = bad_angle(x[0])) return *bad;
  return without_noise(mp::sin(x[0].real()));
}

Number cosine(Arguments x) {
  if (auto bad = bad_angle(x[0])) return *bad;
  return without_noise(mp::cos(x[0].real()));
}

Number tangent(Arguments x) {
  Number below = cosine(x);
  if (below.problem() != nullptr) return below;
  if (below.is_zero()) return Number::failed("The tangent has no value there.");
  return divide(sine(x), below);
}

bool is_sine(const Number& x) { return mp::abs(x.real()) <= 1; }
Number no_angle() { return Number::failed("Only numbers from -1 to 1 have that angle."); }

Number arc_sine(Arguments x) { return is_sine(x[0]) ? Number(Real(mp::asin(x[0].real()))) : no_angle(); }
Number arc_cosine(Arguments x) {
  return is_sine(x[0]) ? Number(without_noise(mp::acos(x[0].real()))) : no_angle();
}
Number arc_tangent(Arguments x) { return Real(mp::atan(x[0].real())); }

Number natural_log(Arguments x) {
  if (!(Number() < x[0])) return Number::failed("Only positive numbers have a logarithm.");
  if (x[0].is_exact() && x[0].exact() == 1) return Number();
  return Real(mp::log(x[0].real()));
}

// Exact where the argument is a whole power of the base, as log(1000) is 3.
Number log_to_base(const Number& x, const Number& base) {
  const Number below = natural_log({&base, 1});
  if (below.problem() == nullptr && below.is_zero())
    return Number::failed("There is no logarithm to base 1.");
  Number value = divide(natural_log({&x, 1}), below);
  if (value.problem() != nullptr) return value;
  const Real nearest = mp::round(value.real());
  const bool near = mp::abs(nearest) < 10000 && mp::abs(value.real() - nearest) < Real("1e-40");
  if (!near) return value;
  const Number whole{Rational(static_cast<Integer>(nearest))};
  const Number back = power(base, whole);
  const bool exact =
      x.is_exact() && back.problem() == nullptr && back.is_exact() && x.exact() == back.exact();
  return exact ? whole : value;
}

Number log_2(Arguments x) { return log_to_base(x[0], Rational(2)); }
Number log_10(Arguments x) { return log_to_base(x[0], Rational(10)); }
Number log_any(Arguments x) { return log_to_base(x[0], x.size() == 2 ? x[1] : Number(Rational(10))); }
Number exponential(Arguments x) {
  return x[0].is_zero() ? Number(Rational(1)) : Number(Real(mp::exp(x[0].real())));
}

Number root(Arguments x) { return square_root(x[0]); }
Number negated(const Number& x) { return subtract(Number(), x); }
Number absolute(Arguments x) { return x[0] < Number() ? negated(x[0]) : x[0]; }
Number floored(Arguments x) { return floor_of(x[0]); }
Number ceiling(Arguments x) { return negated(floor_of(negated(x[0]))); }
Number least(Arguments x) { return *std::min_element(x.begin(), x.end()); }
Number greatest(Arguments x) { return *std::max_element(x.begin(), x.end()); }

Number rounded(Arguments x) {
  constexpr int kMaxPlaces = 100;
  const Number places = x.size() == 2 ? x[1] : Number();
  if (!places.is_integer() || mp::abs(mp::numerator(places.exact())) > kMaxPlaces) {
    return Number::failed("round takes a whole number of decimals from -100 to 100.");
  }
  const Number scale = power(Rational(10), places);
  const Number half{Rational(1, 2)};
  const Number size = floor_of(add(multiply(absolute(x.first(1)), scale), half));
  const Number result = divide(size, scale);
  return x[0] < Number() ? negated(result) : result;
}

constexpr std::array<FunctionRow, 18> kFunctions = {{{"sqrt", 1, 1, root},
                                                     {"abs", 1, 1, absolute},
                                                     {"floor", 1, 1, floored},
                                                     {"ceil", 1, 1, ceiling},
                                                     {"round", 1, 2, rounded},
                                                     {"min", 1, kAnyNumber, least},
                                                     {"max", 1, kAnyNumber, greatest},
                                                     {"sin", 1, 1, sine},
                                                     {"cos", 1, 1, cosine},
                                                     {"tan", 1, 1, tangent},
                                                     {"asin", 1, 1, arc_sine},
                                                     {"acos", 1, 1, arc_cosine},
                                                     {"atan", 1, 1, arc_tangent},
                                                     {"ln", 1, 1, natural_log},
                                                     {"log", 1, 2, log_any},
                                                     {"log2", 1, 1, log_2},
                                                     {"log10", 1, 1, log_10},
                                                     {"exp", 1, 1, exponential}}};

const FunctionRow* find_function(std::string_view name) {
  const auto* found = std::find_if(kFunctions.begin(), kFunctions.end(),
                                   [&](const FunctionRow& row) { return row.name == name; });
  return found == kFunctions.end() ? nullptr : found;
}

}  // namespace

std::optional<Number> constant(std::string_view name) {
  if (name == "pi") return Number(pi());
  if (name == "e") return Number(boost::math::constants::e<Real>());
  return std::nullopt;
}

bool is_function(std::string_view name) { return find_function(name) != nullptr; }

std::string function_list() {
  std::string list;
  for (const FunctionRow& row : kFunctions) list += (list.empty() ? "" : ", ") + std::string(row.name);
  return list;
}

Number call_function(std::string_view name, std::span<const Number> arguments) {
  const FunctionRow& row = *find_function(name);
  for (const Number& argument : arguments) {
    if (argument.problem() != nullptr) return argument;
  }
  if (arguments.size() < row.min_arguments || arguments.size() > row.max_arguments) {
    const bool one = row.max_arguments == 1;
    return Number::failed(std::string(name) + " takes " +
                          (one ? "one argument." : "one or more arguments, not so many."));
  }
  return row.call(arguments);
}

}  // namespace parley::orchestration::tools
