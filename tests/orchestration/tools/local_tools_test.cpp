#include "orchestration/tools/local_tools.h"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <thread>

#include "orchestration/tools/tool_policy.h"
#include "orchestration/tools/tool_registry.h"
#include "tests/fakes/eventually.h"
#include "tests/orchestration/tools/config_text.h"
#include "tests/orchestration/tools/recording_runner.h"
#include "tests/orchestration/tools/scratch_folder.h"

namespace parley::orchestration::tools {
namespace {

std::vector<std::string> offered(const ToolOffer& offer) {
  std::vector<std::string> list;
  for (const ToolPointer& tool : offer.tools) list.push_back(tool->spec().source + " " + tool->spec().name);
  return list;
}

// Listing programs run on threads of their own.
class ListingRunner {
 public:
  sandbox::ProgramResult run(const sandbox::Program& program, const sandbox::RunOptions& options) {
    while (hangs && program.argv[0] == "list" && !options.stop.stop_requested())
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const std::lock_guard lock(mutex);
    programs.push_back(program);
    inputs.push_back(options.input);
    return answer;
  }
  void set_answer(sandbox::ProgramResult next) {
    const std::lock_guard lock(mutex);
    answer = std::move(next);
  }

  std::atomic<bool> hangs{false};
  std::mutex mutex;
  sandbox::ProgramResult answer = printed(R"([{"name": "found"}])");
  std::vector<sandbox::Program> programs;
  std::vector<std::string> inputs;
};

struct LocalToolsTest : testing::Test {
  LocalToolsTest() {
    LocalToolOptions options;
    options.commands.run = [runner = runner](const auto& program, const auto& how) {
      return runner->run(program, how);
    };
    options.fence_problem = [this] { return std::string(is_fenced ? "" : "bubblewrap is not installed"); };
    options.retry_pause = std::chrono::milliseconds(20);
    local = make_local_tools(std::move(options));
  }
  bool is_offered(const std::vector<std::string>& names) {
    return tests::fakes::eventually([&] { return offered(offer = local->offer()) == names; });
  }

  std::shared_ptr<ListingRunner> runner = std::make_shared<ListingRunner>();
  std::atomic<bool> is_fenced{true};
  std::unique_ptr<ToolSource> local;
  ToolOffer offer;
};

constexpr const char* kListed = R"({"tools": {"calculator": {"builtin": "calculator"}},
                                    "discover": [{"command": ["list"], "call": ["call"]}]})";

TEST_F(LocalToolsTest, OffersCommandsBuiltinsAndWhatIsDiscovered) {
  EXPECT_EQ(local->offer().version, 0u);
  local->configure(read_config(
      R"({"tools": {"a": {"command": ["x", "${FILES_KEY}"]}, "calculator": {"builtin": "calculator"},
      "web": {"http": {"url": "http://a.example"}}}, "discover": [{"command": ["list"], "call": ["call"]}]})"));
  ASSERT_TRUE(is_offered({"command a", "builtin calculator", "discover:1 found"}));
  EXPECT_TRUE(offer.issues.empty());
  runner->set_answer(printed("the key is sesame-42"));
  EXPECT_EQ(offer.tools[0]->run({}, call_within(std::chrono::milliseconds(1000))).text,
            "the key is [redacted]");
  EXPECT_EQ(offer.tools[2]->run({{"q", 1}}, call_within(std::chrono::milliseconds(1000))).status,
            ToolResult::Status::ok);
  EXPECT_EQ(runner->programs.back().argv, (std::vector<std::string>{"call", "found"}));
  EXPECT_EQ(runner->inputs.back(), "{\"q\":1}");
  const std::uint64_t before = offer.version;
  local->configure(read_config("{}"));
  EXPECT_GT(local->offer().version, before);
  EXPECT_TRUE(local->offer().tools.empty());
}

TEST_F(LocalToolsTest, AListingProgramThatHangsHoldsUpNothingElse) {
  runner->hangs = true;
  const auto begin = std::chrono::steady_clock::now();
  local->configure(read_config(kListed));
  offer = local->offer();
  EXPECT_EQ(offered(offer), std::vector<std::string>{"builtin calculator"});
  EXPECT_EQ(offer.starting, std::vector<std::string>{"discover:1"});
  local.reset();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20))
      << "and not the 60 s of its time";
}

TEST_F(LocalToolsTest, AListingProgramThatFailedIsTriedAgain) {
  runner->set_answer(printed("no list"));
  local->configure(read_config(kListed));
  ASSERT_TRUE(tests::fakes::eventually([&] { return (offer = local->offer()).issues.size() == 1; }));
  EXPECT_EQ(offer.issues[0].place, "discover:1");
  runner->set_answer(printed(R"([{"name": "found"}])"));
  EXPECT_TRUE(is_offered({"builtin calculator", "discover:1 found"}));
  EXPECT_TRUE(offer.issues.empty());
}

TEST_F(LocalToolsTest, SaysThatProgramsCannotBeFencedInUntilTheyCan) {
  is_fenced = false;
  const auto num_issues = [&] { return (offer = local->offer()).issues.size(); };
  local->configure(read_config(R"({"tools": {"a": {"command": ["x"]}}})"));
  ASSERT_TRUE(tests::fakes::eventually([&] { return num_issues() == 1; }));
  EXPECT_EQ(offer.issues[0].message, "bubblewrap is not installed");
  EXPECT_EQ(offered(offer), std::vector<std::string>{"command a"});
  EXPECT_TRUE(offer.starting.empty());
  is_fenced = true;
  EXPECT_TRUE(tests::fakes::eventually([&] { return num_issues() == 0; }));
  is_fenced = false;
  local->configure(read_config(R"({"tools": {"a": {"command": ["x"], "sandbox": "none"}}})"));
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(num_issues(), 0u) << "nothing needs it";
}

TEST(LocalTools, TheShippedFileGivesTheBuiltinsWithoutAsking) {
  std::vector<std::unique_ptr<ToolSource>> sources;
  sources.push_back(make_local_tools({}));
  const ScratchFolder folder;
  const auto path = folder.write("tools.json", ScratchFolder::read(PARLEY_SOURCE_DIR "/config/tools.json"));
  ToolRegistry registry(path, environment_of({}), std::move(sources));
  registry.refresh();
  const auto state = registry.current();
  EXPECT_EQ(state->error, "");
  EXPECT_TRUE(state->issues.empty());
  const ToolPolicy policy(state->file->permissions);
  std::vector<std::string> names;
  for (const ToolPointer& tool : state->tools.tools()) {
    names.push_back(tool->spec().name);
    EXPECT_EQ(policy.decide(tool->spec()), Decision::automatic) << tool->spec().name;
  }
  EXPECT_EQ(names, (std::vector<std::string>{"calculator", "current_time", "read_tool_output"}));
}

}  // namespace
}  // namespace parley::orchestration::tools
