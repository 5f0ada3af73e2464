// Every family times everything that it has to say, in all splits.

#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <random>

#include "inference/tokenizer/utf8.h"
#include "tests/orchestration/calls/family_cases.h"
#include "tests/orchestration/calls/random_arguments.h"

namespace parley::orchestration::calls {
namespace {

using inference::json::JsonValue;

std::string label_of(const std::string& family, const FamilyCase& c) { return family + ": " + c.name; }

bool has_no_reasoning(const std::string& family) { return family == "functionary-v3.2"; }

void expect_says(const ReadOutput& read, const FamilyCase& c, const std::string& family) {
  EXPECT_EQ(read.content, c.output.prose);
  EXPECT_EQ(read.reasoning, has_no_reasoning(family) ? "" : c.output.reasoning);
  EXPECT_TRUE(read.is_ordered);
  ASSERT_EQ(read.calls.size(), c.output.calls.size());
  for (std::size_t i = 0; i < read.calls.size(); ++i) {
    EXPECT_EQ(read.calls[i].name, c.output.calls[i].name);
    EXPECT_EQ(read.calls[i].error, "");
    const auto parsed = inference::json::parse_json(read.calls[i].arguments, {.max_bytes = 1 << 22});
    ASSERT_TRUE(std::holds_alternative<JsonValue>(parsed)) << read.calls[i].arguments;
    EXPECT_EQ(std::get<JsonValue>(parsed), JsonValue(c.output.calls[i].arguments)) << read.calls[i].arguments;
  }
}

TEST(Families, SayTheSame) {
  for (const std::string& family : written_families()) {
    for (const FamilyCase& c : family_cases()) {
      SCOPED_TRACE(label_of(family, c));
      const std::string text = write_output(family, c.output);
      SCOPED_TRACE(text);
      expect_says(read_pieces(family, {text}), c, family);
    }
  }
}

TEST(Families, AreReadAlikeInAllSplits) {
  for (const std::string& family : written_families()) {
    for (const FamilyCase& c : family_cases()) {
      const std::string text = write_output(family, c.output);
      const ParseCase options{.format = family};
      const std::string whole = parse(options, text);
      ASSERT_EQ(parse_bytewise(options, text), whole) << label_of(family, c);
      for (std::size_t i = 1; i < text.size(); ++i) {
        const std::string_view view = text;
        ASSERT_EQ(parse_pieces(options, {view.substr(0, i), view.substr(i)}), whole)
            << label_of(family, c) << " at " << i;
      }
    }
  }
}

// A vocabulary in which every marker of the family that looks like one is a token of its own.
MarkerVocabulary vocabulary_of(const CallFormat& format, std::vector<std::string>& markers) {
  for (const std::string& marker : markers_of(format)) {
    const bool is_token = marker.size() > 2 && (marker.back() == '>' || marker.back() == ']');
    if (is_token && marker.find(' ') == std::string::npos) markers.push_back(marker);
  }
  const auto id_of = [&markers](std::string_view name) -> std::optional<TokenId> {
    const auto found = std::find(markers.begin(), markers.end(), name);
    if (found == markers.end()) return std::nullopt;
    return static_cast<TokenId>(found - markers.begin()) + 1;
  };
  return {.id_of = id_of, .is_special = [](TokenId id) { return id > 0; }};
}

std::vector<std::pair<TokenId, std::string_view>> tokens_of(std::string_view text,
                                                            const MarkerVocabulary& vocabulary,
                                                            const std::vector<std::string>& markers,
                                                            std::mt19937& random) {
  std::vector<std::pair<TokenId, std::string_view>> tokens;
  while (!text.empty()) {
    std::size_t length = 0;
    for (const std::string& marker : markers) {
      if (text.starts_with(marker) && marker.size() > length) length = marker.size();
    }
    const std::size_t piece = length > 0 ? length : 1;
    tokens.emplace_back(length > 0 ? *vocabulary.id_of(text.substr(0, length)) : 0, text.substr(0, piece));
    // Ordinary tokens of one to four bytes, which hold no marker.
    if (length == 0 && tokens.size() > 1 && tokens[tokens.size() - 2].first == 0 && random() % 4 > 0) {
      tokens.pop_back();
      auto& last = tokens.back().second;
      last = {last.data(), last.size() + 1};
    }
    text.remove_prefix(piece);
  }
  return tokens;
}

TEST(Families, SayTheSameWithMarkersAsTokens) {
  std::mt19937 random(2);
  for (const std::string& family : written_families()) {
    const CallFormat& format = *find_call_format(family);
    std::vector<std::string> markers;
    const MarkerVocabulary vocabulary = vocabulary_of(format, markers);
    for (const FamilyCase& c : family_cases()) {
      ParserOptions options = options_of({});
      options.vocabulary = vocabulary;
      const auto parser = make_call_parser(format, std::move(options));
      const std::string text = write_output(family, c.output);
      ReadOutput read;
      for (const auto& [id, bytes] : tokens_of(text, vocabulary, markers, random))
        read.add(parser->push(id, bytes));
      read.add(parser->finish(AnswerEnd::complete));
      SCOPED_TRACE(label_of(family, c));
      SCOPED_TRACE(text);
      expect_says(read, c, family);
    }
  }
}

// Truncated anywhere: each call that begins ends, and one that ends well says what was written.
TEST(Families, EndTheirCallsWhereverTheOutputIsCut) {
  for (const std::string& family : written_families()) {
    const FamilyCase c{"cut", {.reasoning = "R", .prose = "P", .calls = family_cases()[6].output.calls}};
    const std::string text = write_output(family, c.output);
    for (std::size_t length = 0; length < text.size(); ++length) {
      SCOPED_TRACE(family + ": " + text.substr(0, length));
      const ReadOutput read = read_pieces(family, {std::string_view(text).substr(0, length)});
      ASSERT_TRUE(read.is_ordered);
      for (const ReadCall& call : read.calls) {
        ASSERT_TRUE(call.ended);
        if (!call.error.empty()) continue;
        ASSERT_EQ(std::get<JsonValue>(inference::json::parse_json(call.arguments, {.max_bytes = 1 << 20})),
                  JsonValue(c.output.calls.front().arguments));
      }
    }
  }
}

TEST(Families, TakeLinearTimeForHostileProse) {
  for (const char* piece : {"<", "\n{", "\n{\"", " ", "\n", "```\n", "\n[", "\n`", "<tool_call>",
                            "<tool_call>\n", "{{", "\n[{\"a\":", "<think>"}) {
    std::string text = "x";
    while (text.size() < 100000) text += piece;
    const std::clock_t begin = std::clock();
    const ParseCase lenient{.detection = CallDetection::lenient};
    EXPECT_FALSE(parse_bytewise(lenient, text).empty());
    EXPECT_LT(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, 5) << piece;
  }
}

std::string mutated(std::string text, const CallFormat& format, std::mt19937& random) {
  std::vector<std::string> words = {"{",  "}",    "\"",       "</", "<tool_call>", "</tool_call>", "[", "]",
                                    "\n", "\xC3", "\xFF\x80", ">",  "(",           "name",         "\\"};
  for (const std::string& marker : markers_of(format)) words.push_back(marker);
  const auto below = [&random](std::size_t limit) { return limit == 0 ? 0 : random() % limit; };
  for (std::size_t i = 0; i <= below(4); ++i) {
    const std::size_t at = below(text.size());
    const std::size_t length = below(8);
    switch (below(4)) {
      case 0:
        text.erase(at, length);
        break;
      case 1:
        text.insert(at, words[below(words.size())]);
        break;
      case 2:
        text.insert(at, text.substr(below(text.size()), 12));
        break;
      default:
        text.resize(at);
        break;
    }
  }
  return text;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const auto part = inference::tokenizer::first_utf8_part(text);
    if (part.kind != inference::tokenizer::Utf8Kind::character) return false;
    text.remove_prefix(part.length);
  }
  return true;
}

TEST(Families, SurviveMutations) {
  std::mt19937 random(4);
  const std::vector<FamilyCase> cases = family_cases();
  for (const std::string& family : written_families()) {
    for (int i = 0; i < 300; ++i) {
      const std::string text = mutated(write_output(family, cases[random() % cases.size()].output),
                                       *find_call_format(family), random);
      for (const auto detection : {CallDetection::native, CallDetection::lenient}) {
        const ParseCase options{.format = family, .detection = detection};
        const std::string whole = parse(options, text);
        ASSERT_TRUE(is_utf8(whole)) << family << ": " << text;
        ASSERT_EQ(parse_bytewise(options, text), whole) << family << ": " << text;
      }
      ASSERT_TRUE(read_pieces(family, {text}).is_ordered) << family << ": " << text;
    }
  }
}

}  // namespace
}  // namespace parley::orchestration::calls
