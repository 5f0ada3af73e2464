#include "orchestration/turn/stored_call_outputs.h"

#include <gtest/gtest.h>

#include "orchestration/tools/builtin_tools.h"
#include "tests/orchestration/turn/failing_store.h"

namespace parley::orchestration::turn {
namespace {

class StoredCallOutputsTest : public testing::Test {
 protected:
  StoredCallOutputsTest() {
    sessions::Conversation conversation;
    conversation.id = "c";
    store_.create(conversation, std::nullopt);
    sessions::Message answer;
    answer.id = "a";
    answer.role = sessions::Role::assistant;
    answer.calls.emplace_back().id = "1";
    answer.calls[0].output = "0123456789abcdefghij\xC3\xA4\xC3\xB6";
    store_.add_message("c", answer, std::nullopt);
  }
  ~StoredCallOutputsTest() override { thread_.join(); }

  std::string text(std::string_view chat, std::string_view id, std::size_t offset = 0,
                   std::size_t size = 100) {
    const auto part = outputs_->read(chat, id, offset, size);
    if (!part) return "none";
    return std::to_string(part->offset) + ":" + part->text + "/" + std::to_string(part->total_bytes);
  }

  FailingStore store_;
  boost::asio::thread_pool thread_{1};
  std::shared_ptr<StoredCallOutputs> outputs_ = std::make_shared<StoredCallOutputs>(store_, thread_);
};

TEST_F(StoredCallOutputsTest, ReadsWhatTheConversationsOwnCallsGave) {
  EXPECT_EQ(text("c", "1", 10, 16), "10:abcdefghij\xC3\xA4\xC3\xB6/24");
  EXPECT_EQ(text("c", "1", 7, 16), "7:789abcdefghij\xC3\xA4/24");  // whole characters
  EXPECT_EQ(text("c", "1", 21, 16), "22:\xC3\xB6/24");             // asked for inside one
  EXPECT_EQ(text("c", "1", 24), "24:/24");
  EXPECT_EQ(text("other", "1"), "none");
  EXPECT_EQ(text("", "1"), "none");
  EXPECT_EQ(text("c", "2"), "none");
}

TEST_F(StoredCallOutputsTest, ABrokenStoreHasNothing) {
  store_.fail_reads = true;
  EXPECT_EQ(text("c", "1"), "none");
  store_.fail_reads = false;
  EXPECT_NE(text("c", "1"), "none");
}

TEST_F(StoredCallOutputsTest, AfterTheEndThereIsNothing) {
  outputs_->close();
  thread_.join();
  EXPECT_EQ(text("c", "1"), "none");
}

TEST_F(StoredCallOutputsTest, ServesTheBuiltInTool) {
  tools::BuiltinEntry entry;
  entry.builtin = "read_tool_output";
  tools::BuiltinSurroundings surroundings;
  surroundings.outputs = outputs_;
  const auto tool = tools::make_builtin_tool(entry, surroundings);
  tools::CallContext context;
  context.chat = "c";
  EXPECT_EQ(tool->run({{"id", "1"}, {"offset", 20}}, context).text,
            "\xC3\xA4\xC3\xB6\n[bytes 20 to 24 of 24, the end]");
  EXPECT_EQ(tool->run({{"id", "1"}, {"offset", 21}}, context).text,
            "\xC3\xB6\n[bytes 22 to 24 of 24, the end]");
  context.chat = "other";
  EXPECT_EQ(tool->run({{"id", "1"}}, context).status, tools::ToolResult::Status::error);
}

}  // namespace
}  // namespace parley::orchestration::turn
