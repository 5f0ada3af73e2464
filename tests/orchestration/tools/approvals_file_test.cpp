#include "orchestration/tools/approvals_file.h"

#include <gtest/gtest.h>

#include "tests/orchestration/tools/scratch_folder.h"

namespace parley::orchestration::tools {
namespace {

const std::vector<StandingApproval> kAnswers = {
    {.source = "command", .tool = "a \"quoted\"\n", .definition_hash = "h1"},
    {.source = "mcp:files",
     .tool = "b",
     .definition_hash = "h2",
     .since = ApprovalTime(std::chrono::milliseconds(1'796'034'195'042))}};

TEST(ApprovalsFile, KeepsAnswersPrivately) {
  const ScratchFolder folder;
  const auto path = folder / "approvals.json";
  EXPECT_EQ(save_approvals(path, kAnswers), std::nullopt);
  EXPECT_EQ(mode_of(path), 0600u);
  const LoadedApprovals loaded = load_approvals(path);
  EXPECT_EQ(loaded.problem, "");
  EXPECT_EQ(loaded.always, kAnswers);
  EXPECT_EQ(save_approvals(path, {}), std::nullopt);
  EXPECT_TRUE(load_approvals(path).always.empty());
  // Replaced, and nothing left over.
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(ApprovalsFile, NoFileIsNoAnswer) {
  const ScratchFolder folder;
  const LoadedApprovals loaded = load_approvals(folder / "none");
  EXPECT_TRUE(loaded.always.empty());
  EXPECT_EQ(loaded.problem, "");
}

TEST(ApprovalsFile, ADamagedOrForeignFileMeansAsking) {
  const ScratchFolder folder;
  for (const char* text :
       {"", "{", "[]", "{}", "{\"always\":{}}", "{\"always\":[1]}",
        R"({"always":[{"source":"command","tool":"a"}]})",
        R"({"always":[{"source":"command","tool":"a","definition":"h","since":"now"}]})",
        R"({"always":[{"source":"command","tool":"a","definition":"h","since":-1}]})",
        R"({"always":[{"source":"c","tool":"a","definition":"h","since":9000000000001}]})"}) {
    const LoadedApprovals loaded = load_approvals(folder.write("approvals.json", text));
    EXPECT_TRUE(loaded.always.empty()) << text;
    EXPECT_NE(loaded.problem.find("damaged"), std::string::npos) << text;
  }
  const std::string good = R"({"always":[{"source":"command","tool":"a","definition":"h"}]})";
  EXPECT_EQ(load_approvals(folder.write("approvals.json", good)).always.size(), 1u);
  const LoadedApprovals open = load_approvals(folder.write("approvals.json", good, 0666));
  EXPECT_TRUE(open.always.empty());
  EXPECT_NE(open.problem.find("chmod go-w"), std::string::npos);
}

TEST(ApprovalsFile, SaysWhatCannotBeSaved) {
  const auto problem = save_approvals("/no/such/folder/approvals.json", kAnswers);
  EXPECT_NE(problem.value_or("").find("/no/such/folder/approvals.json cannot be written"), std::string::npos);
}

}  // namespace
}  // namespace parley::orchestration::tools
