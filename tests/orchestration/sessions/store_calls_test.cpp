// Tool calls in every store: what is kept of them, what a page carries, what a restart makes of them.
#include <gtest/gtest.h>

#include "orchestration/sessions/sqlite_store.h"
#include "tests/fakes/memory_store.h"
#include "tests/fakes/temp_directory.h"
#include "tests/orchestration/sessions/sample_data.h"

namespace parley::orchestration::sessions {
namespace {

class StoreCalls : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    StoreReport report;
    store_ = std::string(GetParam()) == "sqlite" ? open_sqlite_store(folder_.path() / "data", report)
                                                 : tests::fakes::make_memory_store();
    store_->create(sample_conversation("c"));
    store_->create(sample_conversation("other"));
    store_->add_turn("c", "title", sample_question("q", ""), sample_answer("a", "q"));
  }

  static ToolCall full_call(const std::string& id) {
    ToolCall call = sample_call(id);
    call.name = "weather";
    call.arguments = R"({"city":"K\u00f6ln"})";
    call.source = "mcp:sky";
    call.definition = "abc";
    call.preview = {.kind = "mcp", .words = {"sky", "a \"quoted\" word", ""}, .input = "{}"};
    call.result = "cut";
    call.output = "0123456789";
    call.images = {{"image/png", std::string("P\0NG", 4)}, {"image/gif", "GIF"}};
    call.decision = "chat";
    call.elapsed_ms = 12.5;
    return call;
  }
  Message answer_with(std::vector<ToolCall> calls) {
    Message answer = store_->find_message("c", "a").value();
    answer.calls = std::move(calls);
    return answer;
  }
  Message stored() { return store_->find_message("c", "a").value(); }
  std::string output(const std::string& call, std::size_t offset = 0, std::size_t limit = 100) {
    const auto piece = store_->read_output("c", call, offset, limit);
    return piece ? piece->text : "none";
  }
  std::string image(const std::string& call, std::size_t number) {
    const auto found = store_->read_image(call, number);
    return found ? found->media_type + " " + found->bytes : "none";
  }

  tests::fakes::TempDirectory folder_;
  std::unique_ptr<SessionStore> store_;
};

INSTANTIATE_TEST_SUITE_P(Stores, StoreCalls, testing::Values("sqlite", "memory"),
                         [](const auto& suite) { return std::string(suite.param); });

TEST_P(StoreCalls, ComeBackWithAllButWhatIsBig) {
  store_->update_message("c", answer_with({full_call("1"), sample_call("2", CallState::failed)}));
  for (const Message& message : {stored(), store_->path("c", "a", 9).items.at(1)}) {
    ASSERT_EQ(message.calls.size(), 2u);
    const ToolCall& call = message.calls[0];
    EXPECT_EQ(call.id + call.name + call.arguments, R"(1weather{"city":"K\u00f6ln"})");
    EXPECT_EQ(call.source, "mcp:sky");
    EXPECT_EQ(call.definition, "abc");
    EXPECT_EQ(call.state, CallState::done);
    EXPECT_EQ(call.preview.kind, "mcp");
    EXPECT_EQ(call.preview.words, (std::vector<std::string>{"sky", "a \"quoted\" word", ""}));
    EXPECT_EQ(call.preview.input, "{}");
    EXPECT_EQ(call.result, "cut");
    EXPECT_EQ(call.decision, "chat");
    EXPECT_EQ(call.elapsed_ms, 12.5);
    EXPECT_EQ(call.output, "");
    EXPECT_EQ(call.output_bytes, 10u);
    ASSERT_EQ(call.images.size(), 2u);
    EXPECT_EQ(call.images[0].media_type + call.images[1].media_type, "image/pngimage/gif");
    EXPECT_EQ(call.images[0].bytes + call.images[1].bytes, "");
    EXPECT_EQ(message.calls[1].state, CallState::failed);
    EXPECT_EQ(message.calls[1].output_bytes, 0u);
  }
}

TEST_P(StoreCalls, AreAddedWithTheirAnswer) {
  Message answer = sample_answer("b", "a");
  answer.calls = {full_call("1")};
  ASSERT_TRUE(store_->add_message("c", answer));
  EXPECT_EQ(store_->find_message("c", "b")->calls.at(0).output_bytes, 10u);
  answer.id = "d";
  EXPECT_THROW(store_->add_message("c", answer), StoreError);  // the call is another message's
  EXPECT_EQ(store_->find_message("c", "d"), std::nullopt);
}

TEST_P(StoreCalls, OutputsAreReadPieceByPieceAndOnlyByTheirConversation) {
  ToolCall call = full_call("1");
  call.output = "0123456789abcdefghij\xC3\xA4\xC3\xB6";
  ToolCall short_one = sample_call("2");
  short_one.result = "all of it";
  store_->update_message("c", answer_with({call, short_one}));
  EXPECT_EQ(output("1"), call.output);
  EXPECT_EQ(output("1", 4, 16), "456789abcdefghij");
  EXPECT_EQ(output("1", 8, 16), "89abcdefghij\xC3\xA4\xC3\xB6");
  EXPECT_EQ(output("1", 5, 16), "56789abcdefghij");
  EXPECT_EQ(output("1", 0, 0).size(), kMinPieceBytes);
  EXPECT_EQ(output("1", 24), "");
  EXPECT_EQ(output("1", SIZE_MAX), "");
  EXPECT_EQ(output("2", 4, 16), "of it");
  const OutputPiece piece = store_->read_output("c", "1", 21, 50).value();
  EXPECT_EQ(piece.message, "a");
  EXPECT_EQ(piece.offset, 22u);  // behind the character
  EXPECT_EQ(piece.text, "\xC3\xB6");
  EXPECT_EQ(piece.bytes, 24u);
  EXPECT_EQ(output("unknown"), "none");
  EXPECT_FALSE(store_->read_output("other", "1", 0, 100));
}

TEST_P(StoreCalls, ImagesAreReadOneByOne) {
  store_->update_message("c", answer_with({full_call("1")}));
  EXPECT_EQ(image("1", 0), std::string("image/png P\0NG", 14));
  EXPECT_EQ(image("1", 1), "image/gif GIF");
  EXPECT_EQ(image("1", 2), "none");
  EXPECT_EQ(image("1", SIZE_MAX), "none");
  EXPECT_EQ(image("2", 0), "none");
}

TEST_P(StoreCalls, WritingWhatWasReadLosesNothing) {
  store_->update_message("c", answer_with({full_call("1"), full_call("2")}));
  Message answer = stored();
  answer.text = "another text";
  answer.calls[1].state = CallState::cancelled;
  store_->update_message("c", answer);
  EXPECT_EQ(stored().calls.at(1).state, CallState::cancelled);
  for (const std::string id : {"1", "2"}) {
    EXPECT_EQ(output(id), "0123456789");
    EXPECT_EQ(image(id, 1), "image/gif GIF");
  }
  std::swap(answer.calls[0], answer.calls[1]);
  store_->update_message("c", answer);
  EXPECT_EQ(stored().calls.at(0).id, "2");
  EXPECT_EQ(output("1") + output("2"), "01234567890123456789");
}

TEST_P(StoreCalls, NewBytesReplaceAndFewerImagesRemove) {
  store_->update_message("c", answer_with({full_call("1")}));
  ToolCall call = stored().calls.at(0);
  call.output = "new";
  call.images[1].bytes = "NEW";
  store_->update_message("c", answer_with({call}));
  EXPECT_EQ(output("1"), "new");
  EXPECT_EQ(stored().calls.at(0).output_bytes, 3u);
  EXPECT_EQ(image("1", 0), std::string("image/png P\0NG", 14));
  EXPECT_EQ(image("1", 1), "image/gif NEW");
  call.images.pop_back();
  store_->update_message("c", answer_with({call}));
  EXPECT_EQ(image("1", 0), std::string("image/png P\0NG", 14));
  EXPECT_EQ(image("1", 1), "none");
  store_->update_message("c", answer_with({}));
  EXPECT_EQ(output("1") + image("1", 0), "nonenone");
  store_->update_message("c", answer_with({sample_call("1")}));  // another one by that name
  EXPECT_EQ(stored().calls.at(0).output_bytes, 0u);
}

TEST_P(StoreCalls, OneCallIsSavedWithoutTheRest) {
  store_->append("c", "a", "growing", {1});
  EXPECT_TRUE(store_->save_call("c", "a", full_call("1")));
  EXPECT_TRUE(store_->save_call("c", "a", sample_call("2", CallState::awaiting_approval)));
  ToolCall changed = stored().calls.at(0);
  changed.state = CallState::interrupted;
  EXPECT_TRUE(store_->save_call("c", "a", changed));
  ASSERT_EQ(stored().calls.size(), 2u);
  EXPECT_EQ(stored().calls[0].id, "1");
  EXPECT_EQ(stored().calls[0].state, CallState::interrupted);
  EXPECT_EQ(output("1"), "0123456789");
  EXPECT_EQ(stored().text, "growing");
  EXPECT_THROW(store_->save_call("c", "q2", changed), StoreError);
  EXPECT_THROW(store_->save_call("other", "a", changed), StoreError);
}

TEST_P(StoreCalls, ASavedCallCarriesItsCommandOnce) {
  EXPECT_TRUE(store_->save_call("c", "a", sample_call("1"), sample_command("decide")));
  EXPECT_FALSE(store_->save_call("c", "a", full_call("1"), sample_command("decide")));
  EXPECT_EQ(stored().calls.at(0).name, "tool");
  EXPECT_TRUE(store_->find_command("decide"));
  EXPECT_THROW(store_->save_call("c", "unknown", sample_call("2"), sample_command("lost")), StoreError);
  EXPECT_FALSE(store_->find_command("lost"));
}

TEST_P(StoreCalls, AnUpdateThatFailsChangesNothing) {
  store_->add_message("c", sample_answer("b", "a"));
  store_->update_message("c", answer_with({full_call("1")}));
  Message thief = sample_answer("b", "a");
  thief.text = "changed";
  thief.calls = {sample_call("2"), sample_call("1")};
  EXPECT_THROW(store_->update_message("c", thief), StoreError);
  EXPECT_EQ(store_->find_message("c", "b")->text, "");
  EXPECT_TRUE(store_->find_message("c", "b")->calls.empty());
  EXPECT_EQ(stored().calls.at(0).name, "weather");
}

TEST_P(StoreCalls, ARestartInterruptsWhatRanEndsWhatHadNotBegunAndLeavesWhatWaits) {
  Message answer = answer_with({});
  for (int state = 0; state <= static_cast<int>(CallState::interrupted); ++state)
    answer.calls.push_back(sample_call(std::to_string(state), static_cast<CallState>(state)));
  answer.status = MessageStatus::complete;  // the answer has ended, its calls run
  store_->update_message("c", answer);
  EXPECT_EQ(store_->mark_interrupted(), 0u);
  EXPECT_EQ(stored().status, MessageStatus::complete);
  for (const ToolCall& call : stored().calls) {
    const auto before = static_cast<CallState>(std::stoi(call.id));
    CallState after = before;
    if (before == CallState::writing) after = CallState::cancelled;
    if (before == CallState::running) after = CallState::interrupted;
    EXPECT_EQ(call.state, after) << call.id;
  }
}

TEST_P(StoreCalls, HoldsAnOutputOfManyMegabytes) {
  ToolCall call = sample_call("1");
  call.output = std::string(5u << 20, 'x') + "end";
  store_->save_call("c", "a", call);
  EXPECT_EQ(stored().calls.at(0).output_bytes, call.output.size());
  EXPECT_EQ(output("1", 5u << 20), "end");
}

}  // namespace
}  // namespace parley::orchestration::sessions
