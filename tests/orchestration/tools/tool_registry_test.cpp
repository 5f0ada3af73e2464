#include "orchestration/tools/tool_registry.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <utility>

#include "tests/orchestration/tools/config_text.h"
#include "tests/orchestration/tools/fake_tool.h"
#include "tests/orchestration/tools/scratch_folder.h"

namespace parley::orchestration::tools {
namespace {

// Offers one tool per command of the file, and what a test adds.
class ListedTools : public ToolSource {
 public:
  void configure(const ToolsFile& file) override {
    ++configured;
    if (std::exchange(fails, false)) throw std::runtime_error("no thread is left");
    offered_.tools.clear();
    for (const ToolEntry& tool : file.tools) offered_.tools.push_back(fake_tool(settings_of(tool).name));
    ++offered_.version;
  }
  ToolOffer offer() override { return offered_; }

  void complain(std::string sentence) {
    offered_.issues.push_back(
        {.severity = ConfigIssue::Severity::warning, .place = {}, .message = std::move(sentence)});
    ++offered_.version;
  }

  void add(std::string name) {
    offered_.tools.push_back(fake_tool(std::move(name), "mcp:late"));
    ++offered_.version;
  }

  void starting(std::vector<std::string> servers) {
    offered_.starting = std::move(servers);
    ++offered_.version;
  }

  int configured = 0;
  bool fails = false;  // the next configure throws

 private:
  ToolOffer offered_;
};

class ToolRegistryTest : public ::testing::Test {
 protected:
  ToolRegistryTest() {
    auto source = std::make_unique<ListedTools>();
    source_ = source.get();
    std::vector<std::unique_ptr<ToolSource>> sources;
    sources.push_back(std::move(source));
    registry_ =
        std::make_unique<ToolRegistry>(folder_ / "tools.json", environment_of({}), std::move(sources));
  }

  void write(const std::string& tools) { folder_.write("tools.json", "{\"tools\": {" + tools + "}}"); }

  std::vector<std::string> names() const {
    std::vector<std::string> list;
    for (const ToolPointer& tool : registry_->current()->tools.tools()) list.push_back(tool->spec().name);
    return list;
  }

  ScratchFolder folder_;
  ListedTools* source_ = nullptr;
  std::unique_ptr<ToolRegistry> registry_;
};

using Names = std::vector<std::string>;
constexpr const char* kA = R"("a": {"command": ["x"]})";
constexpr const char* kB = R"("b": {"command": ["x"]})";

TEST_F(ToolRegistryTest, DoesAgainWhatASourceThrewIn) {
  write(kA);
  registry_->refresh();
  write(kB);
  source_->fails = true;
  EXPECT_THROW(registry_->refresh(), std::runtime_error);
  EXPECT_EQ(names(), Names{"a"});
  EXPECT_TRUE(registry_->refresh());
  EXPECT_EQ(names(), Names{"b"});
  EXPECT_FALSE(registry_->refresh());
}

TEST_F(ToolRegistryTest, ReloadsWhenTheContentChangesAndNotOtherwise) {
  write(kA);
  EXPECT_TRUE(registry_->refresh());
  EXPECT_EQ(names(), Names{"a"});
  EXPECT_FALSE(registry_->refresh());
  write(kA);  // the same bytes, another time
  EXPECT_FALSE(registry_->refresh());
  EXPECT_EQ(source_->configured, 1);
  write(std::string(kA) + "," + kB);
  EXPECT_TRUE(registry_->refresh());
  EXPECT_EQ(names(), (Names{"a", "b"}));
}

TEST_F(ToolRegistryTest, SaysWhatMayStillBringTools) {
  EXPECT_EQ(registry_->current()->starting, Names{"tools.json"}) << "it was not read yet";
  write(kA);
  source_->starting({"files"});
  registry_->refresh();
  EXPECT_EQ(registry_->current()->starting, Names{"files"});
  source_->starting({});
  registry_->refresh();
  EXPECT_TRUE(registry_->current()->starting.empty());
}

TEST_F(ToolRegistryTest, ABrokenEditKeepsTheToolsAndSaysWhy) {
  write(kA);
  registry_->refresh();
  folder_.write("tools.json", "{\"tools\": {");
  EXPECT_TRUE(registry_->refresh());
  EXPECT_EQ(names(), Names{"a"});
  EXPECT_NE(registry_->current()->error.find("not valid JSON at line 1"), std::string::npos);
  EXPECT_FALSE(registry_->refresh());
  folder_.write("tools.json", "{}", 0666);
  EXPECT_TRUE(registry_->refresh());
  EXPECT_NE(registry_->current()->error.find("chmod go-w"), std::string::npos);
  std::filesystem::remove(folder_ / "tools.json");
  EXPECT_TRUE(registry_->refresh());
  EXPECT_EQ(names(), Names{"a"});
  EXPECT_EQ(source_->configured, 1);
  write(kB);
  EXPECT_TRUE(registry_->refresh());
  EXPECT_EQ(registry_->current()->error, "");
  EXPECT_EQ(names(), Names{"b"});
}

TEST_F(ToolRegistryTest, ProblemsDoNotTellSecrets) {
  write(R"("a": {"command": ["x"], "env": {"API_KEY": "sesame-42"}})");
  registry_->refresh();
  source_->complain("the program said: sesame-42 is no key");
  EXPECT_TRUE(registry_->refresh());
  ASSERT_EQ(registry_->current()->issues.size(), 1u);
  EXPECT_EQ(registry_->current()->issues[0].message, "the program said: [redacted] is no key");
}

// Back to the bytes of before a broken edit: the error goes, too.
TEST_F(ToolRegistryTest, UndoingABrokenEditClearsTheError) {
  write(kA);
  registry_->refresh();
  folder_.write("tools.json", "{");
  registry_->refresh();
  write(kA);
  EXPECT_TRUE(registry_->refresh());
  EXPECT_EQ(registry_->current()->error, "");
}

TEST_F(ToolRegistryTest, ARunningCallKeepsItsDefinition) {
  write(kA);
  registry_->refresh();
  const ToolPointer running = registry_->current()->tools.find("a");
  const auto before = registry_->current();
  write(kB);
  registry_->refresh();
  EXPECT_EQ(registry_->current()->tools.find("a"), nullptr);
  EXPECT_EQ(running->run({{"x", 1}}, CallContext{}).text, "{\"x\":1}");
  EXPECT_EQ(before->tools.tools().size(), 1u);
  EXPECT_GT(registry_->current()->version, before->version);
}

TEST_F(ToolRegistryTest, SourcesMayChangeBetweenEdits) {
  write(kA);
  registry_->refresh();
  source_->add("late");
  EXPECT_TRUE(registry_->refresh());
  EXPECT_EQ(names(), (Names{"a", "late"}));
  source_->add("a");
  EXPECT_TRUE(registry_->refresh());
  ASSERT_EQ(registry_->current()->issues.size(), 1u);
  EXPECT_NE(registry_->current()->issues[0].message.find("left out"), std::string::npos);
}

TEST_F(ToolRegistryTest, IssuesOfEntriesComeAlong) {
  write(std::string(kA) + R"(, "bad": {})");
  registry_->refresh();
  EXPECT_EQ(names(), Names{"a"});
  ASSERT_EQ(registry_->current()->issues.size(), 1u);
  EXPECT_EQ(registry_->current()->issues[0].place, "tools.bad");
}

TEST_F(ToolRegistryTest, IsThereBeforeTheFirstRefresh) {
  EXPECT_TRUE(registry_->current()->tools.tools().empty());
  EXPECT_EQ(registry_->current()->file->limits.max_rounds, 25);
}

TEST(ToolRegistryWithoutFile, HasWhatItsSourcesOffer) {
  std::vector<std::unique_ptr<ToolSource>> sources;
  sources.push_back(std::make_unique<ListedTools>());
  ToolRegistry registry({}, environment_of({}), std::move(sources));
  EXPECT_TRUE(registry.refresh());
  EXPECT_FALSE(registry.refresh());
  EXPECT_EQ(registry.current()->error, "");
}

TEST_F(ToolRegistryTest, ReadersAndRefreshersMayMeet) {
  write(kA);
  registry_->refresh();
  std::atomic<bool> done{false};
  std::vector<std::thread> threads;
  for (int t = 0; t < 2; ++t) {
    threads.emplace_back([&] {
      while (!done) EXPECT_GE(registry_->current()->tools.tools().size(), 1u);
    });
    threads.emplace_back([&] {
      while (!done) registry_->refresh();
    });
  }
  for (int i = 0; i < 50; ++i) {
    // Whole by rename, so that no reader sees a part of it.
    folder_.write("next.json", "{\"tools\": {" + std::string(i % 2 == 0 ? kA : kB) + "}}");
    std::filesystem::rename(folder_ / "next.json", folder_ / "tools.json");
    std::this_thread::yield();
  }
  done = true;
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace parley::orchestration::tools
