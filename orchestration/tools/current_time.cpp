#include "orchestration/tools/current_time.h"

#include <unicode/strenum.h>
#include <unicode/timezone.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <memory>

namespace parley::orchestration::tools {
namespace {

using std::chrono::floor;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr std::size_t kMaxZoneName = 64;
constexpr std::array<const char*, 7> kDays = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                              "Thursday", "Friday", "Saturday"};

std::string utf8_of(const icu::UnicodeString& text) {
  std::string out;
  text.toUTF8String(out);
  return out;
}

// Lower case, spaces as the underscores of zone names.
std::string folded(std::string_view name) {
  std::string out(name);
  for (char& c : out) c = c == ' ' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

// The one zone of that name, or whose last part it is; empty: none, or several different ones.
std::string find_zone(std::string_view wanted) {
  const std::string name = folded(wanted);
  // Not for Etc/GMT+2, which lies two hours behind: its sign is that of POSIX.
  const bool by_last_part = name.find_first_of("+-0123456789") == std::string::npos;
  std::string found;
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<icu::StringEnumeration> ids(icu::TimeZone::createEnumeration());
  for (const icu::UnicodeString* id = nullptr; ids != nullptr && (id = ids->snext(status)) != nullptr;) {
    std::string text = utf8_of(*id);
    const std::string candidate = folded(text);
    if (candidate == name) return text;
    const std::size_t slash = candidate.rfind('/');
    if (by_last_part && slash != std::string::npos && candidate.substr(slash + 1) == name && found.empty())
      found = text;
  }
  return found;
}

std::unique_ptr<icu::TimeZone> zone_of(std::string_view name) {
  if (name.empty()) return std::unique_ptr<icu::TimeZone>(icu::TimeZone::createDefault());
  if (name.size() > kMaxZoneName) return nullptr;
  const std::string known = find_zone(name);
  const std::string wanted = known.empty() ? std::string(name) : known;  // perhaps GMT+2
  std::unique_ptr<icu::TimeZone> zone(icu::TimeZone::createTimeZone(icu::UnicodeString::fromUTF8(wanted)));
  icu::UnicodeString id;
  if (zone != nullptr) zone->getID(id);
  return utf8_of(id) == "Etc/Unknown" ? nullptr : std::move(zone);
}

std::string written(std::chrono::system_clock::time_point now, seconds offset, const std::string& name) {
  const auto local = floor<seconds>(now) + offset;
  const auto day = floor<std::chrono::days>(local);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss time(local - day);
  const auto away = floor<minutes>(std::chrono::abs(offset)).count();
  const std::chrono::weekday weekday(day);
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%04d-%02u-%02uT%02d:%02d:%02d%c%02d:%02d (%s, ", int(date.year()),
                unsigned(date.month()), unsigned(date.day()), int(time.hours().count()),
                int(time.minutes().count()), int(time.seconds().count()), offset < seconds(0) ? '-' : '+',
                int(away / 60), int(away % 60), kDays.at(weekday.c_encoding()));
  return text.data() + name + ")";
}

}  // namespace

LocalTime local_time(std::chrono::system_clock::time_point now, std::string_view zone) {
  const auto found = zone_of(zone);
  if (found == nullptr) {
    return {.text = {},
            .problem = "There is no time zone \"" + std::string(zone.substr(0, kMaxZoneName)) +
                       "\"; give a name such as Europe/Berlin, America/New_York or UTC."};
  }
  const auto milliseconds = floor<std::chrono::milliseconds>(now.time_since_epoch()).count();
  int32_t raw = 0;
  int32_t daylight = 0;
  UErrorCode status = U_ZERO_ERROR;
  found->getOffset(static_cast<UDate>(milliseconds), 0, raw, daylight, status);
  if (U_FAILURE(status)) return {.text = {}, .problem = "The time zone's rules cannot be read."};
  icu::UnicodeString id;
  found->getID(id);
  return {.text = written(now, seconds((raw + daylight) / 1000), utf8_of(id)), .problem = {}};
}

}  // namespace parley::orchestration::tools
