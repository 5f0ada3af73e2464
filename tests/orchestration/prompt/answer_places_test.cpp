#include "orchestration/prompt/answer_places.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "orchestration/prompt/normalised_messages.h"
#include "orchestration/prompt/origins.h"
#include "tests/orchestration/prompt/chat_helper.h"

namespace parley::orchestration::prompt {
namespace {

using jinja::Rendered;

// Pieces with their origins; 0 is the template.
Rendered rendering(const std::vector<std::pair<std::string, jinja::Origin>>& pieces) {
  Rendered rendered;
  for (const auto& [text, origin] : pieces) {
    const std::size_t begin = rendered.text.size();
    rendered.text += text;
    rendered.runs.push_back({begin, rendered.text.size(), origin});
  }
  return rendered;
}

constexpr jinja::Origin kQuestion = origin_of_message(0);
constexpr jinja::Origin kAnswer = origin_of_message(1);
constexpr jinja::Origin kResult = origin_of_message(2);

class AnswerPlacesTest : public testing::Test {
 protected:
  std::vector<AnswerPlace> find() {
    return find_answer_places(kFakeTokenizer, prompt_, {1}, [this](std::size_t count, GenerationPrompt form) {
      if (count == 2) return whole_;
      return form == GenerationPrompt::present ? begun_ : before_;
    });
  }

  std::optional<Rendered> before_ = rendering({{"<u>", 0}, {"q", kQuestion}});
  std::optional<Rendered> begun_ = rendering({{"<u>", 0}, {"q", kQuestion}, {"<a><think>", 0}});
  std::optional<Rendered> whole_ =
      rendering({{"<u>", 0}, {"q", kQuestion}, {"<a>call ", 0}, {"f", kAnswer}, {"!</s>", 0}});
  Rendered prompt_ = rendering({{"<u>", 0},
                                {"q", kQuestion},
                                {"<a>call ", 0},
                                {"f", kAnswer},
                                {"!</s><r>", 0},
                                {"x", kResult},
                                {"</r><a><think>", 0}});
};

TEST_F(AnswerPlacesTest, AnAnswerStandsBehindItsBeginningUpToTheEndOfItsTurn) {
  const auto places = find();
  ASSERT_EQ(places.size(), 1u);
  EXPECT_EQ(places[0].lead, "<a><think>");
  const Rendered placed = with_places(prompt_, places);
  EXPECT_EQ(placed.text, "<u>q<a><think>" + std::string(kReplayedText) + "</s><r>x</r><a><think>");
  const auto replayed = std::find_if(placed.runs.begin(), placed.runs.end(),
                                     [](const jinja::OriginRun& run) { return run.origin == kAnswer; });
  ASSERT_NE(replayed, placed.runs.end());
  EXPECT_EQ(placed.text.substr(replayed->begin, replayed->end - replayed->begin), kReplayedText);
}

TEST_F(AnswerPlacesTest, ATurnWithoutATokenThatEndsItEndsWithWhatIsRenderedOfIt) {
  whole_ = rendering({{"<u>", 0}, {"q", kQuestion}, {"<a>call ", 0}, {"f", kAnswer}, {"!", 0}});
  prompt_ = rendering(
      {{"<u>", 0}, {"q", kQuestion}, {"<a>call ", 0}, {"f", kAnswer}, {"!<r>", 0}, {"x</s>", kResult}});
  const auto places = find();
  ASSERT_EQ(places.size(), 1u);
  EXPECT_EQ(with_places(prompt_, places).text, "<u>q<a><think>" + std::string(kReplayedText) + "<r>x</s>");
}

TEST_F(AnswerPlacesTest, ItsNameMayBeShownAgainWithTheResult) {
  prompt_ = rendering({{"<u>", 0},
                       {"q", kQuestion},
                       {"<a>call ", 0},
                       {"f", kAnswer},
                       {"!</s><r ", 0},
                       {"f", kAnswer},
                       {">", 0},
                       {"x", kResult}});
  const auto places = find();
  ASSERT_EQ(places.size(), 1u);
  const Rendered placed = with_places(prompt_, places);
  EXPECT_EQ(placed.text, "<u>q<a><think>" + std::string(kReplayedText) + "</s><r f>x");
  const auto count = std::count_if(placed.runs.begin(), placed.runs.end(),
                                   [](const jinja::OriginRun& run) { return run.origin == kAnswer; });
  EXPECT_EQ(count, 1) << "there the ids go";
}

TEST_F(AnswerPlacesTest, WhatIsInDoubtHasNoPlace) {
  const Rendered prompt = prompt_;
  prompt_.text[1] = 'U';  // the question is shown otherwise when more follows
  EXPECT_TRUE(find().empty());
  prompt_ = prompt;
  begun_ = rendering({{"<u>", 0}, {"q", kQuestion}, {"<a>", 0}, {"q", kQuestion}});  // repeats the question
  EXPECT_TRUE(find().empty());
  begun_ = std::nullopt;  // refused
  EXPECT_TRUE(find().empty());
}

TEST_F(AnswerPlacesTest, WithoutAnEndOfTheTurnItMustBeRenderedAlike) {
  prompt_ =
      rendering({{"<u>", 0}, {"q", kQuestion}, {"<a>call ", 0}, {"f", kAnswer}, {"!<r>", 0}, {"x", kResult}});
  whole_ = rendering({{"<u>", 0}, {"q", kQuestion}, {"<a>", 0}, {"f", kAnswer}});
  EXPECT_TRUE(find().empty());
  whole_ = std::nullopt;
  EXPECT_TRUE(find().empty());
}

}  // namespace
}  // namespace parley::orchestration::prompt
