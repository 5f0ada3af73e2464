#include "inference/grammar/number_lexeme.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "inference/grammar/table_lexeme.h"

namespace parley::inference::grammar {
namespace {

using State = DfaTable::State;

constexpr int kMaxDigits = 18;
constexpr int kMaxFraction = 20;
constexpr int kMaxExponent = 2;

// A bound of the magnitude.
struct Limit {
  Decimal value;
  bool is_exclusive = false;
};
struct Magnitudes {
  std::optional<Limit> min;
  std::optional<Limit> max;
};

enum class Part : std::uint8_t {
  sign,
  zero,
  digits,
  point,
  fraction,
  exponent,
  exponent_sign,
  exponent_digits
};

// What the digits read so far say about one bound: less than as many digits of it, equal, or greater.
using Order = int;

struct DigitPlace {
  Part part = Part::sign;
  int count = 0;  // digits of this part
  Order to_min = 0;
  Order to_max = 0;
  auto operator<=>(const DigitPlace&) const = default;
};

char digit_at(const std::string& digits, int index) {
  return index < static_cast<int>(digits.size()) ? digits[static_cast<std::size_t>(index)] : '0';
}

Order refine(Order order, char digit, char bound) {
  if (order != 0 || digit == bound) return order;
  return digit < bound ? -1 : 1;
}

// The order of whole numbers, once their digits are over.
Order settle(Order order, int count, const Decimal& bound) {
  const int size = static_cast<int>(bound.digits.size());
  if (count == size) return order;
  return count < size ? -1 : 1;
}

// Writes the numbers of one sign, whose magnitude is within limits, into a table.
class NumberWriter {
 public:
  NumberWriter(DfaTable& table, NumberRange::Kind kind, Magnitudes magnitudes)
      : table_(table), kind_(kind), magnitudes_(std::move(magnitudes)) {
    if (magnitudes_.min) max_digits_ = std::max(max_digits_, size(magnitudes_.min->value.digits) + 1);
    if (magnitudes_.max) max_digits_ = size(magnitudes_.max->value.digits);  // more are more
    if (magnitudes_.min) max_fraction_ = std::max(max_fraction_, size(magnitudes_.min->value.fraction) + 1);
    if (magnitudes_.max) max_fraction_ = std::max(max_fraction_, size(magnitudes_.max->value.fraction));
  }

  // `start`: where the first digit is read.
  void write(State start) {
    numbers_[DigitPlace{}] = start;
    found_.emplace_back(DigitPlace{}, start);
    for (std::size_t i = 0; i < found_.size(); ++i) {
      const auto [place, state] = found_[i];
      write_edges(place, state);
    }
  }

 private:
  static int size(const std::string& text) { return static_cast<int>(text.size()); }

  void write_edges(const DigitPlace& place, State state) {
    switch (place.part) {
      case Part::sign:
        add(state, '0', '0', settled({Part::zero, 0, 0, 0}));
        for (char digit = '1'; digit <= '9' && max_digits_ > 0; ++digit)
          add(state, digit, digit, whole(place, digit));
        return;
      case Part::digits:
        for (char digit = '0'; digit <= '9' && place.count < max_digits_; ++digit) {
          add(state, digit, digit, whole(place, digit));
        }
        return write_end(settled(place), state);
      case Part::zero:
        return write_end(place, state);
      case Part::point:
      case Part::fraction:
        for (char digit = '0'; digit <= '9' && place.count < max_fraction_; ++digit) {
          add(state, digit, digit, behind_point(place, digit));
        }
        if (place.part == Part::fraction) write_end(place, state);
        return;
      case Part::exponent:
        add(state, '+', '+', {Part::exponent_sign, 0, 0, 0});
        add(state, '-', '-', {Part::exponent_sign, 0, 0, 0});
        [[fallthrough]];
      case Part::exponent_sign:
      case Part::exponent_digits:
        table_.nodes[state].accepts = place.part == Part::exponent_digits;
        if (place.count < kMaxExponent) add(state, '0', '9', {Part::exponent_digits, place.count + 1, 0, 0});
        return;
    }
  }

  // The number may end here, if it is within its limits, or go on with its next part.
  void write_end(const DigitPlace& place, State state) {
    table_.nodes[state].accepts = is_within(place);
    if (kind_ == NumberRange::Kind::integer) return;
    const bool is_whole = place.part != Part::fraction;
    if (is_whole) add(state, '.', '.', {Part::point, 0, place.to_min, place.to_max});
    if (magnitudes_.min || magnitudes_.max) return;
    add(state, 'e', 'e', {Part::exponent, 0, 0, 0});
    add(state, 'E', 'E', {Part::exponent, 0, 0, 0});
  }

  bool is_within(const DigitPlace& place) const {
    const Order to_min = magnitudes_.min ? with_rest(place, place.to_min, magnitudes_.min->value) : 1;
    const Order to_max = magnitudes_.max ? with_rest(place, place.to_max, magnitudes_.max->value) : -1;
    if (to_min < 0 || (to_min == 0 && magnitudes_.min->is_exclusive)) return false;
    return to_max < 0 || (to_max == 0 && !magnitudes_.max->is_exclusive);
  }

  // Equal so far, but digits of the bound are left.
  static Order with_rest(const DigitPlace& place, Order order, const Decimal& bound) {
    const int num_fraction = place.part == Part::fraction ? place.count : 0;
    return order == 0 && num_fraction < size(bound.fraction) ? -1 : order;
  }

  DigitPlace whole(const DigitPlace& place, char digit) const {
    DigitPlace next{Part::digits, place.count + 1, place.to_min, place.to_max};
    if (magnitudes_.min) next.to_min = refine_whole(place.to_min, place.count, digit, magnitudes_.min->value);
    if (magnitudes_.max) next.to_max = refine_whole(place.to_max, place.count, digit, magnitudes_.max->value);
    return next;
  }

  // A number with more digits is greater, whatever they are.
  static Order refine_whole(Order order, int count, char digit, const Decimal& bound) {
    return count < size(bound.digits) ? refine(order, digit, digit_at(bound.digits, count)) : 1;
  }

  DigitPlace settled(DigitPlace place) const {
    if (magnitudes_.min) place.to_min = settle(place.to_min, place.count, magnitudes_.min->value);
    if (magnitudes_.max) place.to_max = settle(place.to_max, place.count, magnitudes_.max->value);
    return place;
  }

  DigitPlace behind_point(const DigitPlace& place, char digit) const {
    DigitPlace next{Part::fraction, place.count + 1, place.to_min, place.to_max};
    if (magnitudes_.min) {
      next.to_min = refine(place.to_min, digit, digit_at(magnitudes_.min->value.fraction, place.count));
    }
    if (magnitudes_.max) {
      next.to_max = refine(place.to_max, digit, digit_at(magnitudes_.max->value.fraction, place.count));
    }
    return next;
  }

  void add(State from, char low, char high, const DigitPlace& place) {
    const auto [found, is_new] = numbers_.try_emplace(place, static_cast<State>(table_.nodes.size()));
    if (is_new) {
      table_.nodes.emplace_back();
      found_.emplace_back(place, found->second);
    }
    table_.nodes[from].edges.push_back(
        {static_cast<std::uint8_t>(low), static_cast<std::uint8_t>(high), found->second});
  }

  DfaTable& table_;
  NumberRange::Kind kind_;
  Magnitudes magnitudes_;
  int max_digits_ = kMaxDigits;
  int max_fraction_ = kMaxFraction;
  std::map<DigitPlace, State> numbers_;
  std::vector<std::pair<DigitPlace, State>> found_;
};

bool is_positive(const Decimal& value) { return !value.is_negative && !value.is_zero(); }
bool is_exclusive(const NumberBound& bound) { return bound.kind == NumberBound::Kind::exclusive; }
Limit limit_of(const NumberBound& bound) { return {bound.value, is_exclusive(bound)}; }

// Of the numbers without a minus; nullopt if there are none.
std::optional<Magnitudes> magnitudes_above(const NumberRange& range) {
  Magnitudes out;
  if (range.max) {
    const bool ends_before =
        range.max->value.is_negative || (range.max->value.is_zero() && is_exclusive(*range.max));
    if (ends_before) return std::nullopt;
    out.max = limit_of(*range.max);
  }
  if (range.min && !range.min->value.is_negative) {
    const bool says_something = is_positive(range.min->value) || is_exclusive(*range.min);
    if (says_something) out.min = limit_of(*range.min);
  }
  return out;
}

std::optional<Magnitudes> magnitudes_below(const NumberRange& range) {
  Magnitudes out;
  if (range.min) {
    if (!range.min->value.is_negative) return std::nullopt;
    out.max = limit_of(*range.min);
  }
  if (range.max && !is_positive(range.max->value)) {
    const bool says_something = range.max->value.is_negative || is_exclusive(*range.max);
    if (says_something) out.min = limit_of(*range.max);
  }
  return out;
}

int compare_magnitudes(const Decimal& a, const Decimal& b) {
  if (a.digits.size() != b.digits.size()) return a.digits.size() < b.digits.size() ? -1 : 1;
  return std::tie(a.digits, a.fraction) < std::tie(b.digits, b.fraction)   ? -1
         : std::tie(b.digits, b.fraction) < std::tie(a.digits, a.fraction) ? 1
                                                                           : 0;
}

}  // namespace

Decimal parse_decimal(std::string_view text) {
  Decimal decimal;
  const bool has_sign = text.starts_with('-');
  if (has_sign) text.remove_prefix(1);
  const std::size_t point = std::min(text.find('.'), text.size());
  std::string_view digits = text.substr(0, point);
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
  decimal.digits = digits;
  if (point < text.size()) decimal.fraction = text.substr(point + 1);
  decimal.fraction.erase(decimal.fraction.find_last_not_of('0') + 1);
  decimal.is_negative = has_sign && !decimal.is_zero();
  return decimal;
}

int compare(const Decimal& a, const Decimal& b) {
  if (a.is_negative != b.is_negative) return a.is_negative ? -1 : 1;
  return a.is_negative ? compare_magnitudes(b, a) : compare_magnitudes(a, b);
}

std::shared_ptr<const Lexeme> make_number_lexeme(const NumberRange& range) {
  DfaTable table;
  if (auto magnitudes = magnitudes_above(range)) {
    NumberWriter(table, range.kind, std::move(*magnitudes)).write(0);
  }
  if (auto magnitudes = magnitudes_below(range)) {
    const auto behind_sign = static_cast<State>(table.nodes.size());
    table.nodes.emplace_back();
    table.nodes[0].edges.push_back({'-', '-', behind_sign});
    NumberWriter(table, range.kind, std::move(*magnitudes)).write(behind_sign);
  }
  if (is_empty(table)) return nullptr;
  return std::make_shared<const TableLexeme>(std::move(table));
}

}  // namespace parley::inference::grammar
