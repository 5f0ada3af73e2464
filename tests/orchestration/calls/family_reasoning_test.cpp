// Markers within what a model thinks: only the end of the reasoning is one.

#include <gtest/gtest.h>

#include <utility>

#include "tests/orchestration/calls/family_cases.h"
#include "tests/orchestration/calls/random_arguments.h"

namespace parley::orchestration::calls {
namespace {

using Tokens = std::vector<std::pair<TokenId, std::string>>;

// Markers of the family that are tokens: id 1 and on.
std::vector<std::string> names_of(const CallFormat& format) {
  std::vector<std::string> names;
  for (const std::string& marker : markers_of(format)) {
    const bool is_token = marker.size() > 2 && (marker.back() == '>' || marker.back() == ']');
    const bool is_new = std::find(names.begin(), names.end(), marker) == names.end();
    if (is_token && is_new && marker.find(' ') == std::string::npos) names.push_back(marker);
  }
  return names;
}

MarkerVocabulary vocabulary_of(const std::vector<std::string>& names) {
  const auto id_of = [names](std::string_view name) -> std::optional<TokenId> {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) return std::nullopt;
    return static_cast<TokenId>(found - names.begin()) + 1;
  };
  return {.id_of = id_of, .is_special = [](TokenId id) { return id > 0; }};
}

// As a model that means the markers writes it.
Tokens tokens_of(std::string_view text, const std::vector<std::string>& names) {
  Tokens tokens;
  while (!text.empty()) {
    std::size_t best = names.size();
    for (std::size_t i = 0; i < names.size(); ++i) {
      const bool is_longer = best == names.size() || names[i].size() > names[best].size();
      if (text.starts_with(names[i]) && is_longer) best = i;
    }
    const bool is_marker = best < names.size();
    const std::size_t length = is_marker ? names[best].size() : 1;
    tokens.emplace_back(is_marker ? static_cast<TokenId>(best) + 1 : 0, text.substr(0, length));
    text.remove_prefix(length);
  }
  return tokens;
}

// Around what is thought, as the family writes it.
struct Frame {
  std::string before;
  std::string behind;
};
Frame frame_of(const std::string& family) {
  constexpr std::string_view kThought = "(thought)";
  const WrittenOutput output{.reasoning = std::string(kThought), .prose = "Prose.", .calls = {{"now", {}}}};
  std::string text = write_output(family, output);
  if (family == "functionary-v3.2") text = "<think>(thought)</think>" + text;
  const std::size_t at = text.find(kThought);
  return {text.substr(0, at), text.substr(at + kThought.size())};
}

// Pieces that end no reasoning. Whoever means <|end|> or <|start|> by the token ends a message.
std::vector<std::string> harmless_markers(const CallFormat& format) {
  std::vector<std::string> markers = markers_of(format);
  std::erase_if(markers, [&](const std::string& marker) {
    const auto& closes = format.reasoning_close;
    return std::find(closes.begin(), closes.end(), marker) != closes.end();
  });
  return markers;
}

std::string thought_of(RandomText& random) { return "R" + random.next() + "R"; }

void expect_thought(const ReadOutput& read, const std::string& thought) {
  EXPECT_EQ(read.reasoning, thought);
  EXPECT_EQ(read.content, "Prose.") << thought;
  ASSERT_EQ(read.calls.size(), 1u) << thought;
  EXPECT_EQ(read.calls[0].name, "now");
  EXPECT_EQ(read.calls[0].error, "");
}

TEST(FamilyReasoning, HoldsMarkersAsText) {
  for (const std::string& family : written_families()) {
    SCOPED_TRACE(family);
    const Frame frame = frame_of(family);
    RandomText random(harmless_markers(*find_call_format(family)), 3);
    for (int i = 0; i < 200; ++i) {
      const std::string thought = thought_of(random);
      const std::string text = frame.before + thought + frame.behind;
      expect_thought(read_pieces(family, {text}), thought);
      const ParseCase options{.format = family};
      ASSERT_EQ(parse_bytewise(options, text), parse(options, text)) << text;
      if (HasFailure()) break;
    }
  }
}

TEST(FamilyReasoning, HoldsTextThatLooksLikeItsEndWhereThatIsAToken) {
  for (const std::string& family : written_families()) {
    SCOPED_TRACE(family);
    const CallFormat& format = *find_call_format(family);
    const auto names = names_of(format);
    const Frame frame = frame_of(family);
    if (!format.reasoning_close.empty() && names_of(format).empty()) continue;
    RandomText random(markers_of(format), 4);
    for (int i = 0; i < 200; ++i) {
      const std::string thought = thought_of(random);
      ParserOptions options = options_of({});
      options.vocabulary = vocabulary_of(names);
      const auto parser = make_call_parser(format, std::move(options));
      ReadOutput read;
      for (const auto& [id, bytes] : tokens_of(frame.before, names)) read.add(parser->push(id, bytes));
      for (const std::string_view piece : random_pieces(thought, 9, random)) read.add(parser->push(0, piece));
      for (const auto& [id, bytes] : tokens_of(frame.behind, names)) read.add(parser->push(id, bytes));
      read.add(parser->finish(AnswerEnd::complete));
      expect_thought(read, thought);
      if (HasFailure()) break;
    }
  }
}

TEST(FamilyReasoning, HoldsTokensOfMarkersOfCalls) {
  for (const std::string& family : written_families()) {
    SCOPED_TRACE(family);
    const CallFormat& format = *find_call_format(family);
    if (format.encoding == Encoding::channels) continue;  // there they divide messages
    const auto names = names_of(format);
    const Frame frame = frame_of(family);
    RandomText random(harmless_markers(format), 8);
    for (int i = 0; i < 200; ++i) {
      const std::string thought = thought_of(random);
      ParserOptions options = options_of({});
      options.vocabulary = vocabulary_of(names);
      const auto parser = make_call_parser(format, std::move(options));
      ReadOutput read;
      for (const auto& [id, bytes] : tokens_of(frame.before + thought + frame.behind, names))
        read.add(parser->push(id, bytes));
      read.add(parser->finish(AnswerEnd::complete));
      expect_thought(read, thought);
      if (HasFailure()) break;
    }
  }
}

}  // namespace
}  // namespace parley::orchestration::calls
