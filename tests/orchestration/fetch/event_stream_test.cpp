#include "orchestration/fetch/event_stream.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace parley::orchestration::fetch {
namespace {

// One line per event: type|data|id, newlines of the data as "\n".
std::string shown(const std::vector<ServerEvent>& events) {
  std::string text;
  for (const ServerEvent& event : events) {
    std::string data;
    for (const char c : event.data) data += c == '\n' ? std::string("\\n") : std::string(1, c);
    text += event.type + "|" + data + "|" + event.last_id + ";";
  }
  return text;
}

std::string read(std::string_view bytes) { return shown(EventStream().push(bytes)); }

TEST(EventStreamTest, ReadsTheExamplesOfTheStandard) {
  EXPECT_EQ(read("data: YHOO\ndata: +2\ndata: 10\n\n"), "message|YHOO\\n+2\\n10|;");
  EXPECT_EQ(
      read(": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n"),
      "message|first event|1;message|second event|;message| third event|;");
  EXPECT_EQ(read("data\n\ndata\ndata\n\ndata:"), "message||;message|\\n|;");
  EXPECT_EQ(read("data:test\n\ndata: test\n\n"), "message|test|;message|test|;");
  EXPECT_EQ(read("event: add\ndata: 73857293\n\nevent: remove\ndata: 2153\n\n"),
            "add|73857293|;remove|2153|;");
}

TEST(EventStreamTest, AcceptsEveryLineEnd) {
  for (const std::string end : {"\n", "\r", "\r\n"}) {
    EXPECT_EQ(read("data: a" + end + "data: b" + end + end + "data: c" + end + end),
              "message|a\\nb|;message|c|;");
  }
  EXPECT_EQ(read("data: a\r\n\rdata: b\n\r\n"), "message|a|;message|b|;");
}

TEST(EventStreamTest, GivesAnEventWithTheByteThatCompletesIt) {
  EventStream stream;
  EXPECT_EQ(shown(stream.push("data: a\r")), "");
  EXPECT_EQ(shown(stream.push("\n")), "");
  EXPECT_EQ(shown(stream.push("\r")), "message|a|;");
  EXPECT_EQ(shown(stream.push("\ndata: b\n")), "");
  EXPECT_EQ(shown(stream.push("\n")), "message|b|;");
}

TEST(EventStreamTest, SkipsOneByteOrderMarkAtTheStartOnly) {
  EXPECT_EQ(read("\xEF\xBB\xBF"
                 "data: a\n\n"),
            "message|a|;");
  EXPECT_EQ(read("\xEF\xBB\xBF\xEF\xBB\xBF"
                 "data: a\n\n"),
            "");
  EXPECT_EQ(read("data: a\n\n\xEF\xBB\xBF"
                 "data: b\n\n"),
            "message|a|;");
}

TEST(EventStreamTest, IgnoresCommentsUnknownFieldsAndEventsWithoutData) {
  EXPECT_EQ(read(":\n: x\nfoo: bar\nDATA: x\n data: x\nevent: lost\n\ndata: a\n\n"), "message|a|;");
}

TEST(EventStreamTest, KeepsTheIdUntilAnotherComes) {
  EventStream stream;
  EXPECT_EQ(shown(stream.push("id: 7\ndata: a\n\ndata: b\n\nid: 8\n\ndata: c\n\n")),
            "message|a|7;message|b|7;message|c|8;");
  stream.push(std::string_view("id: 9\0\n\n", 8));
  EXPECT_EQ(stream.last_id(), "8");
  stream.push("id: 10\ndata: not complete\n");
  EXPECT_EQ(stream.last_id(), "8");
}

TEST(EventStreamTest, TakesOnlyDigitsAsRetry) {
  EventStream stream;
  stream.push("retry: 12x\nretry: -1\nretry:\nretry: 99999999999999999999\n");
  EXPECT_FALSE(stream.retry());
  stream.push("retry: 1500\n");
  EXPECT_EQ(stream.retry(), std::chrono::milliseconds(1500));
}

TEST(EventStreamTest, MendsBytesThatAreNotUtf8) {
  EXPECT_EQ(read("data: \xC3\xA9\xFF\xC3\ndata: x\n\n"), "message|\xC3\xA9\xEF\xBF\xBD\xEF\xBF\xBD\\nx|;");
}

TEST(EventStreamTest, EndsWithALineOrEventThatIsTooLong) {
  EventStream line(100);
  EXPECT_TRUE(line.push("data: " + std::string(94, 'x')).empty());
  EXPECT_EQ(line.error(), "");
  line.push("x");
  EXPECT_NE(line.error().find("100 bytes"), std::string::npos);
  EXPECT_TRUE(line.push("\n\ndata: a\n\n").empty());

  EventStream event(100);
  for (int i = 0; i < 200; ++i) event.push("data: 12345\n");
  EXPECT_NE(event.error().find("100 bytes"), std::string::npos);
}

TEST(EventStreamTest, AcceptsAnEventOfExactlyTheBound) {
  EventStream stream(100);
  EXPECT_EQ(stream.push("data:" + std::string(95, 'x') + "\n\n").size(), 1U);
  EXPECT_EQ(stream.push("data:" + std::string(95, 'x') + "\ndata:123\n\n").size(), 1U);
  EXPECT_EQ(stream.error(), "");
}

TEST(EventStreamTest, DoesNotDependOnHowTheStreamWasSplit) {
  const std::string bytes =
      "\xEF\xBB\xBF:c\r\nid: 1\r\ndata: \xE2\x82\xAC\r\ndata:b\r\n\r\nevent: x\rdata\r\rdata: "
      "\xE2\x82\n\nretry: 5\n"
      "id\ndata: last\n\n\r\n\r\rdata: never\n";
  const std::string whole = read(bytes);
  EXPECT_EQ(whole, "message|\xE2\x82\xAC\\nb|1;x||1;message|\xEF\xBF\xBD|1;message|last|;");
  for (std::size_t first = 0; first <= bytes.size(); ++first) {
    for (std::size_t second = first; second <= bytes.size(); ++second) {
      EventStream stream;
      std::string pieces = shown(stream.push(std::string_view(bytes).substr(0, first)));
      pieces += shown(stream.push(std::string_view(bytes).substr(first, second - first)));
      pieces += shown(stream.push(std::string_view(bytes).substr(second)));
      ASSERT_EQ(pieces, whole) << first << " " << second;
    }
  }
}

TEST(EventStreamTest, SurvivesNoiseAndStaysChunkInvariant) {
  std::mt19937 random(4);
  using std::string_view_literals::operator""sv;
  const std::string_view alphabet = "\r\n:1daticev \xC3\xA9\0\xFF"sv;
  for (int round = 0; round < 2000; ++round) {
    std::string bytes;
    for (int i = 0; i < 80; ++i)
      bytes += random() % 4 == 0 ? "\ndata:" : std::string(1, alphabet[random() % alphabet.size()]);
    EventStream single;
    std::string pieces;
    for (const char c : bytes) pieces += shown(single.push(std::string_view(&c, 1)));
    ASSERT_EQ(pieces, read(bytes));
  }
}

}  // namespace
}  // namespace parley::orchestration::fetch
