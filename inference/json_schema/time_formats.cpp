#include "inference/json_schema/time_formats.h"

#include <array>
#include <optional>

namespace parley::inference::json_schema {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The number of exactly `count` digits at the front of `text`, which moves behind them.
std::optional<int> take_digits(std::string_view& text, std::size_t count) {
  if (text.size() < count) return std::nullopt;
  int number = 0;
  for (const char c : text.substr(0, count)) {
    if (!is_digit(c)) return std::nullopt;
    number = number * 10 + (c - '0');
  }
  text.remove_prefix(count);
  return number;
}

bool take(std::string_view& text, std::string_view any_of) {
  if (text.empty() || any_of.find(text.front()) == std::string_view::npos) return false;
  text.remove_prefix(1);
  return true;
}

int days_in(int year, int month) {
  constexpr std::array kDays{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return month == 2 && leap ? 29 : kDays.at(static_cast<std::size_t>(month - 1));
}

struct ClockTime {
  int hour = 0;
  int minute = 0;
};

std::optional<ClockTime> take_hour_and_minute(std::string_view& text) {
  const auto hour = take_digits(text, 2);
  if (!hour || !take(text, ":")) return std::nullopt;
  const auto minute = take_digits(text, 2);
  if (!minute || *hour > 23 || *minute > 59) return std::nullopt;
  return ClockTime{*hour, *minute};
}

bool take_fraction(std::string_view& text) {
  if (!take(text, ".")) return true;
  if (text.empty() || !is_digit(text.front())) return false;
  while (!text.empty() && is_digit(text.front())) text.remove_prefix(1);
  return true;
}

// In minutes.
std::optional<int> take_offset(std::string_view& text) {
  if (take(text, "Zz")) return 0;
  const int sign = text.starts_with('-') ? -1 : 1;
  if (!take(text, "+-")) return std::nullopt;
  const auto offset = take_hour_and_minute(text);
  if (!offset) return std::nullopt;
  return sign * (offset->hour * 60 + offset->minute);
}

bool take_date(std::string_view& text) {
  const auto year = take_digits(text, 4);
  if (!year || !take(text, "-")) return false;
  const auto month = take_digits(text, 2);
  if (!month || *month < 1 || *month > 12 || !take(text, "-")) return false;
  const auto day = take_digits(text, 2);
  return day && *day >= 1 && *day <= days_in(*year, *month);
}

// Numbers with units of `units`, one after another without a gap, at least one.
bool take_parts(std::string_view& text, std::string_view units) {
  std::size_t next = std::string_view::npos;
  while (!text.empty() && is_digit(text.front())) {
    while (!text.empty() && is_digit(text.front())) text.remove_prefix(1);
    const std::size_t unit = text.empty() ? std::string_view::npos : units.find(text.front());
    if (unit == std::string_view::npos || (next != std::string_view::npos && unit != next)) return false;
    next = unit + 1;
    text.remove_prefix(1);
  }
  return next != std::string_view::npos;
}

}  // namespace

bool is_date(std::string_view text) { return take_date(text) && text.empty(); }

bool is_time(std::string_view text) {
  constexpr int kMinutesOfDay = 24 * 60;
  const auto time = take_hour_and_minute(text);
  if (!time || !take(text, ":")) return false;
  const auto second = take_digits(text, 2);
  if (!second || *second > 60 || !take_fraction(text)) return false;
  const auto offset = take_offset(text);
  if (!offset || !text.empty()) return false;
  const int utc = (time->hour * 60 + time->minute - *offset + kMinutesOfDay) % kMinutesOfDay;
  return *second < 60 || utc == kMinutesOfDay - 1;
}

bool is_date_time(std::string_view text) { return take_date(text) && take(text, "Tt") && is_time(text); }

bool is_duration(std::string_view text) {
  if (!take(text, "P")) return false;
  std::string_view weeks = text;
  if (take_parts(weeks, "W")) return weeks.empty();
  const bool has_date = take_parts(text, "YMD");
  if (take(text, "T")) return take_parts(text, "HMS") && text.empty();
  return has_date && text.empty();
}

}  // namespace parley::inference::json_schema
