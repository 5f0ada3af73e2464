#include "orchestration/calls/call_input.h"

#include <gtest/gtest.h>

#include "orchestration/calls/text_scan.h"

namespace parley::orchestration::calls {
namespace {

const Markers kMarkers = {"<a>", "<a>b"};

Match match_of(std::string_view text, bool ended) { return match_marker({text, ended}, kMarkers).match; }

TEST(CallInput, GivesWhatWasNotTaken) {
  CallInput input;
  for (int i = 0; i < 3000; ++i) {
    input.append("abcdefgh");
    input.take(7);
    ASSERT_EQ(input.text().substr(0, 1), std::string_view("abcdefgh").substr((i * 7 + 7) % 8, 1));
  }
  EXPECT_EQ(input.text().size(), 3000u);
  EXPECT_FALSE(input.ended());
}

TEST(CallInput, TakesSpace) {
  CallInput input;
  input.append(" \n\t\r x");
  input.take_space();
  EXPECT_EQ(input.text(), "x");
}

TEST(MatchMarker, WaitsForTheLongest) {
  EXPECT_EQ(match_of("<a", false), Match::partial);
  EXPECT_EQ(match_of("<a>", false), Match::partial);
  EXPECT_EQ(match_of("<a>", true), Match::yes);
  EXPECT_EQ(match_of("<a>c", false), Match::yes);
  EXPECT_EQ(match_of("<b", false), Match::no);
  EXPECT_EQ(match_of("<a", true), Match::no);
  EXPECT_EQ(match_marker({"<a>bc", false}, kMarkers).length, 4u);
  EXPECT_EQ(match_marker({"", false}, {}).match, Match::no);
}

TEST(MatchEnd, TakesWhiteSpaceForNothing) {
  EXPECT_EQ(match_end({"", true}), Match::yes);
  EXPECT_EQ(match_end({" \n", true}), Match::yes);
  EXPECT_EQ(match_end({" \n", false}), Match::partial);
  EXPECT_EQ(match_end({" \nx", false}), Match::no);
  EXPECT_EQ(match_end({std::string(kMaxSpace + 1, ' '), true}), Match::no);
}

TEST(MatchMarker, LooksPastABoundedAmountOfSpace) {
  const auto after = [](std::size_t space) {
    return match_after_space({std::string(space, ' ') + "<a>c", false}, kMarkers).match;
  };
  EXPECT_EQ(after(0), Match::yes);
  EXPECT_EQ(after(kMaxSpace), Match::yes);
  EXPECT_EQ(after(kMaxSpace + 1), Match::no);
  EXPECT_EQ(match_after_space({"  ", false}, kMarkers).match, Match::partial);
  EXPECT_EQ(match_after_space({"  <a>c", false}, kMarkers).length, 5u);
}

TextSpot spot_in(std::string_view text, bool ended) {
  return find_spot({text, ended}, LineStart::yes,
                   [](Ahead ahead, LineStart) { return match_marker(ahead, kMarkers).match; });
}

TEST(FindSpot, HoldsBackSpaceAndWhatMayBeAMarker) {
  EXPECT_EQ(spot_in("text  <a", false).text_end, 4u);
  EXPECT_EQ(spot_in("text  <a", false).match, Match::partial);
  EXPECT_EQ(spot_in("text \n", false).text_end, 4u);
  EXPECT_EQ(spot_in("text \n", true).text_end, 6u);
  EXPECT_EQ(spot_in("text <b>", false).text_end, 8u);
  EXPECT_EQ(spot_in("text  <a>c", false).begin, 6u);
  EXPECT_EQ(spot_in("text  <a>c", false).match, Match::yes);
  EXPECT_EQ(spot_in("text" + std::string(100, ' '), false).text_end, 4u + 100 - kMaxSpace);
}

TEST(FindSpot, KnowsWhereLinesBegin) {
  std::string begins;
  const auto note = [&begins](Ahead ahead, LineStart start) {
    if (start == LineStart::yes) begins += ahead.text.front();
    return Match::no;
  };
  find_spot({"ab c\n d\n\ne f", true}, LineStart::yes, note);
  EXPECT_EQ(begins, "ade");
  EXPECT_EQ(line_start_after("a\n  ", LineStart::no), LineStart::yes);
  EXPECT_EQ(line_start_after("  ", LineStart::yes), LineStart::yes);
  EXPECT_EQ(line_start_after("\n a", LineStart::yes), LineStart::no);
}

}  // namespace
}  // namespace parley::orchestration::calls
