#include "inference/text/text_stream.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "inference/text/utf8_repair.h"

namespace parley::inference::text {
namespace {

using Stops = std::vector<std::string>;

struct Result {
  std::string text;
  std::optional<std::string> stop;

  friend bool operator==(const Result&, const Result&) = default;
};

Result stream(const Stops& stops, const std::vector<std::string_view>& pieces) {
  const auto stream = make_text_stream(stops);
  Result result;
  for (const std::string_view piece : pieces) result.text += stream->push(piece);
  result.text += stream->finish();
  result.stop = stream->matched_stop();
  return result;
}

// The definition: the first place where a stop string ends, the longest of those that end there.
Result stream_slowly(const Stops& stops, std::string_view bytes) {
  Result result;
  std::size_t end = bytes.size();
  for (std::size_t length = 0; length <= bytes.size() && !result.stop; ++length) {
    for (const std::string& stop : stops) {
      const bool matches = !stop.empty() && bytes.substr(0, length).ends_with(stop);
      if (!matches || (result.stop && result.stop->size() >= stop.size())) continue;
      result.stop = stop;
      end = length - stop.size();
    }
  }
  Utf8Repair repair;
  repair.push(bytes.substr(0, end), result.text);
  repair.finish(result.text);
  return result;
}

TEST(TextStream, passes_text_through_at_once_without_stops) {
  const auto stream = make_text_stream({});
  EXPECT_EQ(stream->push("Hello"), "Hello");
  EXPECT_EQ(stream->push(", wörld"), ", wörld");
  EXPECT_EQ(stream->push(""), "");
  EXPECT_EQ(stream->finish(), "");
  EXPECT_EQ(stream->matched_stop(), std::nullopt);
}

TEST(TextStream, ignores_empty_stops) {
  EXPECT_EQ(stream({"", ""}, {"abc"}), (Result{"abc", std::nullopt}));
  EXPECT_EQ(stream({"", "c"}, {"abc"}), (Result{"ab", "c"}));
}

TEST(TextStream, holds_back_what_may_become_a_stop_and_no_more) {
  const auto stream = make_text_stream({"\n\nUser:"});
  EXPECT_EQ(stream->push("one\n"), "one");
  EXPECT_EQ(stream->push("\n"), "");
  EXPECT_EQ(stream->push("\n"), "\n");
  EXPECT_EQ(stream->push("Us"), "");
  EXPECT_EQ(stream->push("a"), "\n\nUsa");
  EXPECT_EQ(stream->finish(), "");
}

TEST(TextStream, gives_what_it_held_back_at_the_end) {
  const auto stream = make_text_stream({"STOP"});
  EXPECT_EQ(stream->push("go STO"), "go ");
  EXPECT_EQ(stream->finish(), "STO");
  EXPECT_EQ(stream->finish(), "");
  EXPECT_EQ(stream->matched_stop(), std::nullopt);
}

TEST(TextStream, finds_a_stop_across_tokens_and_swallows_nothing_before_it) {
  EXPECT_EQ(stream({"</answer>"}, {"4", "2 <", "/ans", "wer", "> tail", "more"}),
            (Result{"42 ", "</answer>"}));
}

TEST(TextStream, returns_nothing_after_a_stop) {
  const auto stream = make_text_stream({"x"});
  EXPECT_EQ(stream->push("axbx"), "a");
  EXPECT_EQ(stream->matched_stop(), "x");
  EXPECT_EQ(stream->push("c"), "");
  EXPECT_EQ(stream->finish(), "");
}

TEST(TextStream, of_several_stops_the_first_to_end_wins_then_the_longest) {
  EXPECT_EQ(stream({"abcd", "bc"}, {"xabcd"}), (Result{"xa", "bc"}));
  EXPECT_EQ(stream({"c", "bc", "abc"}, {"xabcd"}), (Result{"x", "abc"}));
}

TEST(TextStream, never_splits_a_character) {
  const auto stream = make_text_stream({"\n"});
  EXPECT_EQ(stream->push("\xF0\x9F"), "");
  EXPECT_EQ(stream->push("\x98\x80!"), "😀!");
  EXPECT_EQ(stream->push("\xE2\x82"), "");
  EXPECT_EQ(stream->finish(), "\uFFFD");
}

TEST(TextStream, drops_the_unfinished_character_of_a_cut_answer) {
  const auto stream = make_text_stream({"STOP", "\xF0\x9F\x98\x81"});
  EXPECT_EQ(stream->push("a\xE2\x82"), "a");
  EXPECT_EQ(stream->finish_cut(), "");
  EXPECT_EQ(stream->finish(), "");
  EXPECT_EQ(stream->push("\xFF ST"), "\uFFFD ");
  EXPECT_EQ(stream->finish_cut(), "ST");
  EXPECT_EQ(stream->push("\xF0\x9F\x98"), "");
  EXPECT_EQ(stream->finish_cut(), "");
  EXPECT_EQ(stream->push("STOP"), "");
  EXPECT_EQ(stream->finish_cut(), "");
  EXPECT_EQ(stream->matched_stop(), "STOP");
}

TEST(TextStream, a_stop_may_begin_inside_a_character) {
  EXPECT_EQ(stream({"\x98\x80"}, {"a\xF0\x9F\x98\x80"}), (Result{"a\uFFFD", "\x98\x80"}));
  EXPECT_EQ(stream({"😀"}, {"a\xF0", "\x9F", "\x98", "\x80z"}), (Result{"a", "😀"}));
  EXPECT_EQ(stream({"😀"}, {"a\xF0\x9F\x98", "\x81"}), (Result{"a😁", std::nullopt}));
}

// Two letters and parts of two characters, so that stops overlap themselves, each other and character
// borders.
TEST(TextStream, agrees_with_the_definition_however_the_bytes_are_split) {
  std::mt19937 random(29);
  const auto random_bytes = [&](std::size_t max_length) {
    const std::vector<std::string> parts = {"a", "b", "a", "b", "é", "\xC3", "\xA9", "😀", "\xF0\x9F"};
    std::string bytes;
    for (std::size_t count = random() % (max_length + 1); count > 0; --count) {
      bytes += parts[random() % parts.size()];
    }
    return bytes;
  };
  for (int round = 0; round < 5000; ++round) {
    Stops stops;
    for (std::size_t count = random() % 4; count > 0; --count) stops.push_back(random_bytes(4));
    const std::string bytes = random_bytes(16);
    const Result expected = stream_slowly(stops, bytes);
    for (int split = 0; split < 4; ++split) {
      std::vector<std::string_view> pieces;
      for (std::size_t begin = 0; begin < bytes.size();) {
        const std::size_t length = split == 0 ? 1 : split == 1 ? bytes.size() : 1 + random() % 4;
        pieces.push_back(std::string_view(bytes).substr(begin, length));
        begin += length;
      }
      ASSERT_EQ(stream(stops, pieces), expected) << testing::PrintToString(bytes);
    }
  }
}

TEST(TextStream, every_two_way_split_gives_the_same_text) {
  const std::string bytes = "Grüße 😀 \xFF\xE2\x82 aaab\xF0\x9F and the stop: aaaac, tail";
  const Stops stops = {"aaaac", "the end", "é"};
  const Result expected = stream_slowly(stops, bytes);
  EXPECT_EQ(expected.stop, "aaaac");
  for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
    const std::string_view view = bytes;
    EXPECT_EQ(stream(stops, {view.substr(0, cut), view.substr(cut)}), expected) << cut;
  }
}

// What comes out is valid UTF-8 at each step, and with what is to come never repeats or takes back anything.
TEST(TextStream, a_long_stop_that_almost_matches_again_and_again_loses_nothing) {
  const std::string stop = std::string(5000, 'a') + "!";
  const std::string text = std::string(20000, 'a') + "b" + std::string(4999, 'a');
  const auto stream = make_text_stream({stop});
  std::string out;
  for (const char byte : text) out += stream->push({&byte, 1});
  EXPECT_EQ(out, std::string(20000, 'a') + "b");
  EXPECT_EQ(stream->push("a!"), "");
  EXPECT_EQ(stream->matched_stop(), stop);
}

}  // namespace
}  // namespace parley::inference::text
