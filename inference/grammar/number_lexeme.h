#pragma once
// JSON numbers within bounds, compared digit by digit as they are written. Immutable, any thread.
//
// Unbounded numbers have at most 18 digits before the point, 20 behind it and an exponent below 100, so that
// each of them can be read back. Numbers with a bound have no exponent.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "inference/grammar/lexeme.h"

namespace parley::inference::grammar {

// A decimal number without exponent.
struct Decimal {
  bool is_negative = false;
  std::string digits;    // before the point, without leading zeros: empty below one
  std::string fraction;  // without trailing zeros
  bool is_zero() const { return digits.empty() && fraction.empty(); }
};
// `text` as printf's %f or an integer's decimal form gives it.
Decimal parse_decimal(std::string_view text);
// Below zero, zero, above zero as a < b, a == b, a > b.
int compare(const Decimal& a, const Decimal& b);

struct NumberBound {
  enum class Kind : std::uint8_t { inclusive, exclusive };
  Decimal value;
  Kind kind = Kind::inclusive;
};

struct NumberRange {
  enum class Kind : std::uint8_t { integer, number };
  Kind kind = Kind::number;
  std::optional<NumberBound> min;
  std::optional<NumberBound> max;
};

// Null if no number is in the range.
std::shared_ptr<const Lexeme> make_number_lexeme(const NumberRange& range);

}  // namespace parley::inference::grammar
