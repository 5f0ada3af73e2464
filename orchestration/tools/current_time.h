#pragma once
// What time it is somewhere, by ICU's time zones. Pure but for the system's own zone; any thread.

#include <chrono>
#include <string>
#include <string_view>

namespace parley::orchestration::tools {

struct LocalTime {
  std::string text;     // "2026-11-30T11:23:15+01:00 (Monday, Europe/Berlin)"
  std::string problem;  // not empty: a sentence that names what is not known
};

// `zone`: an IANA name in any case (Europe/Berlin), its last part where that is enough (berlin), UTC, or
// GMT+2. Empty: the system's own zone.
LocalTime local_time(std::chrono::system_clock::time_point now, std::string_view zone);

}  // namespace parley::orchestration::tools
