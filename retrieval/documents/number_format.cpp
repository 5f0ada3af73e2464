#include "retrieval/documents/number_format.h"

#include <array>
#include <cctype>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>

namespace parley::retrieval::documents {
namespace {

constexpr double kSecondsPerDay = 86400;
constexpr double kLastSerial = 2958466;  // the first day of the year 10000

std::string plain_number(double value) {
  std::array<char, 64> buffer;
  const double size = std::fabs(value);
  const bool is_handy = value == 0 || (size < 1e15 && size >= 1e-6);
  const auto result =
      is_handy ? std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed)
               : std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), result.ptr};
}

std::string clock_text(long long seconds) {
  std::array<char, 48> text;
  const int length = std::snprintf(text.data(), text.size(), "%02lld:%02lld:%02lld", seconds / 3600,
                                   seconds / 60 % 60, seconds % 60);
  return {text.data(), static_cast<std::size_t>(length)};
}

std::string date_text(long long serial, DateSystem system) {
  using std::chrono::sys_days, std::chrono::year;
  // Lotus 1-2-3 had a 29 February 1900 (day 60), and spreadsheets keep it.
  const sys_days base = system == DateSystem::from_1904 ? sys_days(year(1904) / 1 / 1)
                        : serial >= 60                  ? sys_days(year(1899) / 12 / 30)
                                                        : sys_days(year(1899) / 12 / 31);
  const std::chrono::year_month_day date(base + std::chrono::days(serial));
  std::array<char, 48> text;
  const int length = std::snprintf(text.data(), text.size(), "%04d-%02u-%02u", static_cast<int>(date.year()),
                                   static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
  return {text.data(), static_cast<std::size_t>(length)};
}

// The letters of a format code that stand for parts of dates, lower case; '%' for itself; 'E' for elapsed
// time.
std::string telling_letters(std::string_view code) {
  std::string letters;
  for (std::size_t index = 0; index < code.size() && code[index] != ';'; ++index) {
    const char c = static_cast<char>(std::tolower(static_cast<unsigned char>(code[index])));
    if (c == '\\' || c == '_' || c == '*') {
      ++index;  // the character behind it stands for itself
    } else if (c == '"') {
      index = code.find('"', index + 1);
    } else if (c == '[') {
      const std::size_t end = code.find(']', index);
      const std::string_view inside = code.substr(index + 1, end - index - 1);
      if (inside.find_first_not_of("hHmMsS") == std::string_view::npos && !inside.empty()) {
        letters += 'E';
      }
      index = end;
    } else if (c == 'y' || c == 'd' || c == 'h' || c == 's' || c == 'm' || c == '%') {
      letters += c;
    }
    if (index == std::string_view::npos) {
      break;  // a quote or bracket without its end
    }
  }
  return letters;
}

}  // namespace

NumberMeaning builtin_meaning(int id) {
  if ((id >= 14 && id <= 17) || (id >= 27 && id <= 31) || id == 36 || (id >= 50 && id <= 54) ||
      (id >= 57 && id <= 58)) {
    return NumberMeaning::date;
  }
  if ((id >= 18 && id <= 21) || (id >= 32 && id <= 35) || id == 45 || id == 47 || id == 55 || id == 56) {
    return NumberMeaning::time;
  }
  if (id == 22) {
    return NumberMeaning::date_time;
  }
  if (id == 46) {
    return NumberMeaning::duration;
  }
  return id == 9 || id == 10 ? NumberMeaning::percent : NumberMeaning::number;
}

NumberMeaning meaning_of_code(std::string_view code) {
  if (code == "General" || code == "@") {
    return NumberMeaning::number;
  }
  const std::string letters = telling_letters(code);
  const bool has_date = letters.find_first_of("yd") != std::string::npos;
  const bool has_time = letters.find_first_of("hs") != std::string::npos;
  if (letters.find('E') != std::string::npos) {
    return NumberMeaning::duration;
  }
  if (has_time) {
    return has_date ? NumberMeaning::date_time : NumberMeaning::time;
  }
  if (has_date || letters.find('m') != std::string::npos) {
    return NumberMeaning::date;
  }
  return letters.find('%') != std::string::npos ? NumberMeaning::percent : NumberMeaning::number;
}

std::string shown_number(double value, NumberMeaning meaning, DateSystem system) {
  if (meaning == NumberMeaning::percent && std::fabs(value) < 1e12) {
    return plain_number(std::round(value * 1e10) / 1e8) + "%";
  }
  if (meaning == NumberMeaning::number || meaning == NumberMeaning::percent || !(value >= 0) ||
      value >= kLastSerial) {
    return plain_number(value);
  }
  const auto seconds = std::llround(value * kSecondsPerDay);
  const long long seconds_of_day = seconds % 86400;
  if (meaning == NumberMeaning::duration) {
    return clock_text(seconds);
  }
  if (meaning == NumberMeaning::time) {
    return clock_text(seconds_of_day);
  }
  const std::string date = date_text(seconds / 86400, system);
  const bool shows_time = meaning == NumberMeaning::date_time || seconds_of_day != 0;
  return shows_time ? date + " " + clock_text(seconds_of_day) : date;
}

std::string shown_number(std::string_view text, NumberMeaning meaning, DateSystem system) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) {
    return std::string(text);
  }
  return shown_number(value, meaning, system);
}

}  // namespace parley::retrieval::documents
