#include "orchestration/turn/rejection.h"

#include <gtest/gtest.h>

#include <string>

namespace parley::orchestration::turn {
namespace {

using EngineRejection = inference::engine::Rejection;
using RejectionKind = ChatRejection::Kind;

struct RejectionCase {
  EngineRejection::Kind engine;
  RejectionKind kind;
  const char* words;
};

TEST(Rejection, EachReasonOfTheEngineIsASentenceWithItsNumbers) {
  const RejectionCase cases[] = {
      {EngineRejection::Kind::prompt_too_long, RejectionKind::prompt_too_long,
       "has 20 tokens, but the model takes at most 10"},
      {EngineRejection::Kind::empty_prompt, RejectionKind::invalid_prompt, "The prompt is empty"},
      {EngineRejection::Kind::token_out_of_range, RejectionKind::invalid_prompt,
       "the token id 20, but the model's ids end below 10"},
      {EngineRejection::Kind::queue_full, RejectionKind::queue_full, "10 requests are waiting"},
      {EngineRejection::Kind::shutting_down, RejectionKind::shutting_down, "shutting down"},
  };
  for (const RejectionCase& wanted : cases) {
    const ChatRejection rejection = rejection_of(EngineRejection{wanted.engine, 10, 20, ""});
    EXPECT_EQ(rejection.kind, wanted.kind) << wanted.words;
    EXPECT_NE(rejection.message.find(wanted.words), std::string::npos) << rejection.message;
    EXPECT_EQ(rejection.limit, 10);
    EXPECT_EQ(rejection.actual, 20);
  }
}

TEST(Rejection, AnEngineThatFailedSaysWhy) {
  const std::string why = "The model stopped working: out of memory. Restart the server to load it again.";
  const ChatRejection rejection =
      rejection_of(EngineRejection{EngineRejection::Kind::shutting_down, 0, 0, why});
  EXPECT_EQ(rejection.kind, RejectionKind::model_failed);
  EXPECT_EQ(rejection.message, why);
  EXPECT_EQ(model_failed(why).message, why);
}

TEST(Rejection, ATooLongPromptSaysWhatToDo) {
  const ChatRejection rejection = prompt_too_long(4096, 5000);
  EXPECT_EQ(rejection.kind, RejectionKind::prompt_too_long);
  EXPECT_EQ(rejection.limit, 4096);
  EXPECT_EQ(rejection.actual, 5000);
  EXPECT_NE(rejection.message.find("--context"), std::string::npos);
}

}  // namespace
}  // namespace parley::orchestration::turn
