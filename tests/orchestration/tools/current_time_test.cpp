#include "orchestration/tools/current_time.h"

#include <gtest/gtest.h>

#include <boost/json/parse.hpp>

#include "tests/orchestration/tools/scratch_folder.h"

namespace parley::orchestration::tools {
namespace {

using std::chrono::system_clock;

const system_clock::time_point kNow = system_clock::from_time_t(1'638'268'995);  // 2021-11-30T10:43:15Z

// From Python's zoneinfo (tests/goldens/tools/make_tools_goldens.py).
TEST(CurrentTime, AgreesWithZoneinfo) {
  const auto cases =
      boost::json::parse(ScratchFolder::read(PARLEY_SOURCE_DIR "/tests/goldens/tools/current_time.json"));
  ASSERT_GE(cases.as_array().size(), 150u);
  for (const auto& item : cases.as_array()) {
    const auto time = system_clock::from_time_t(item.at("seconds").as_int64());
    EXPECT_EQ(local_time(time, std::string(item.at("zone").as_string())).text,
              std::string(item.at("result").as_string()));
  }
}

TEST(CurrentTime, TakesNamesAsPeopleWriteThem) {
  for (const char* zone : {"Europe/Berlin", "europe/berlin", "Berlin", "berlin"}) {
    EXPECT_EQ(local_time(kNow, zone).text, "2021-11-30T11:43:15+01:00 (Tuesday, Europe/Berlin)") << zone;
  }
  EXPECT_EQ(local_time(kNow, "new york").text, "2021-11-30T05:43:15-05:00 (Tuesday, America/New_York)");
  EXPECT_EQ(local_time(kNow, "utc").text.substr(0, 25), "2021-11-30T10:43:15+00:00");
  EXPECT_EQ(local_time(kNow, "GMT+2").text.substr(0, 25), "2021-11-30T12:43:15+02:00");
  EXPECT_EQ(local_time(kNow + std::chrono::milliseconds(999), "UTC").text.substr(0, 19),
            "2021-11-30T10:43:15");
}

TEST(CurrentTime, WithoutANameItIsTheSystemsZone) {
  EXPECT_EQ(local_time(kNow, "").problem, "");
  EXPECT_EQ(local_time(kNow, "").text.substr(0, 6), "2021-1");
}

TEST(CurrentTime, NamesWhatItDoesNotKnow) {
  for (const char* zone : {"Mars/Olympus", "Etc/Unknown", "\xFF\xFE", "/", "../etc/passwd"}) {
    const LocalTime time = local_time(kNow, zone);
    EXPECT_EQ(time.text, "") << zone;
    EXPECT_NE(time.problem.find("There is no time zone"), std::string::npos) << zone;
  }
  EXPECT_LT(local_time(kNow, std::string(100'000, 'x')).problem.size(), 300u);
}

}  // namespace
}  // namespace parley::orchestration::tools
