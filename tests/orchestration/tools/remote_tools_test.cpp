#include "orchestration/tools/remote_tools.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "tests/orchestration/tools/config_text.h"
#include "tests/orchestration/tools/scratch_folder.h"

namespace parley::orchestration::tools {
namespace {

// Answers from a table of addresses, and keeps the requests.
class TableFetcher final : public fetch::Fetcher {
 public:
  fetch::FetchResponse fetch(const fetch::FetchRequest& request) const override {
    asked.push_back(request);
    fetch::FetchResponse response;
    response.url = request.url;
    const auto found = pages.find(request.url);
    if (found == pages.end()) {
      response.error = "There is no such host.";
      return response;
    }
    response.end = fetch::FetchResponse::End::complete;
    response.status = 200;
    response.headers = {{"content-type", "application/json"}};
    response.body = found->second;
    return response;
  }

  std::map<std::string, std::string> pages;
  mutable std::vector<fetch::FetchRequest> asked;
};

constexpr const char* kDescription =
    R"({"openapi":"3.0.3","info":{"title":"t","version":"1"},"servers":[{"url":"http://a.example/v1"}],
    "paths":{"/ticket":{"get":{"operationId":"get_ticket"}}}})";

struct RemoteToolsTest : testing::Test {
  std::vector<std::string> offered() {
    offer = source->offer();
    std::vector<std::string> list;
    for (const ToolPointer& tool : offer.tools) list.push_back(tool->spec().source + " " + tool->spec().name);
    return list;
  }

  std::shared_ptr<TableFetcher> fetcher = std::make_shared<TableFetcher>();
  std::chrono::steady_clock::time_point now{};
  std::unique_ptr<ToolSource> source = make_remote_tools({.fetcher = fetcher, .now = [this] { return now; }});
  ToolOffer offer;
};

using Names = std::vector<std::string>;

TEST_F(RemoteToolsTest, OffersRequestsOfTheFile) {
  source->configure(read_config(
      R"({"tools": {"page": {"description": "Gets it", "timeout": 1234, "concurrency": 2,
      "http": {"url": "http://a.example/x?q={q}", "headers": {"X-Key": "${FILES_KEY}"}},
      "parameters": {"type": "object", "properties": {"q": {"type": "string"}}}},
      "other": {"command": ["x"]}}})"));
  EXPECT_EQ(offered(), Names({"http page"}));
  EXPECT_EQ(offer.tools[0]->spec().max_parallel, 2);
  fetcher->pages["http://a.example/x?q=one"] = R"({"said": "sesame-42 is right"})";
  CallContext context;
  context.deadline = std::chrono::steady_clock::now() + std::chrono::hours(1);
  const ToolResult result = offer.tools[0]->run({{"q", "one"}}, context);
  EXPECT_EQ(result.status, ToolResult::Status::ok) << result.text;
  EXPECT_EQ(result.text.find("sesame"), std::string::npos) << result.text;
  EXPECT_EQ(fetcher->asked[0].headers[0], fetch::Header("X-Key", "sesame-42"));
  EXPECT_LE(fetcher->asked[0].deadline, std::chrono::steady_clock::now() + std::chrono::milliseconds(1234));
}

TEST_F(RemoteToolsTest, KnowsTheFormsOfABody) {
  fetcher->pages["http://a.example/x"] = "{}";
  const auto body_of = [&](const std::string& body) {
    source->configure(
        read_config(R"({"tools": {"t": {"http": {"method": "POST", "url": "http://a.example/x"
      )" + (body.empty() ? "" : R"(, "body": )" + body) +
                    R"(}, "parameters": {"type": "object", "properties": {"a": {"type": "string"}}}}}})"));
    offer = source->offer();
    CallContext context;
    context.deadline = std::chrono::steady_clock::now() + std::chrono::hours(1);
    offer.tools.at(0)->run({{"a", "b c"}}, context);
    return fetcher->asked.back().body;
  };
  EXPECT_EQ(body_of(""), R"({"a":"b c"})");
  EXPECT_EQ(body_of(R"("json")"), R"({"a":"b c"})");
  EXPECT_EQ(body_of(R"("form")"), "a=b%20c");
  EXPECT_EQ(body_of(R"({"text": "{a}", "n": 1})"), R"({"text":"b c","n":1})");
}

TEST_F(RemoteToolsTest, NamesTheEntryThatCannotBeATool) {
  source->configure(read_config(R"({"tools": {"bad": {"http": {"url": "http://a.example/{gone}"}}}})"));
  EXPECT_TRUE(offered().empty());
  ASSERT_EQ(offer.issues.size(), 1u);
  EXPECT_EQ(offer.issues[0].place, "tools.bad.http");
  EXPECT_NE(offer.issues[0].message.find("{gone}"), std::string::npos);
}

TEST_F(RemoteToolsTest, AsksAgainForADescriptionThatCouldNotBeHad) {
  source->configure(
      read_config(R"({"openapi": [{"url": "http://a.example/openapi.json", "name": "desk"}]})"));
  EXPECT_TRUE(offered().empty());
  ASSERT_EQ(offer.issues.size(), 1u);
  EXPECT_NE(offer.issues[0].message.find("no such host"), std::string::npos) << offer.issues[0].message;
  const std::uint64_t before = offer.version;
  fetcher->pages["http://a.example/openapi.json"] = kDescription;
  EXPECT_TRUE(offered().empty()) << "not before the pause is over";
  EXPECT_EQ(offer.version, before);
  now += std::chrono::seconds(31);
  EXPECT_EQ(offered(), Names({"openapi:desk desk_get_ticket"}));
  EXPECT_TRUE(offer.issues.empty());
  EXPECT_GT(offer.version, before);
  const std::size_t asked = fetcher->asked.size();
  now += std::chrono::hours(1);
  offered();
  EXPECT_EQ(fetcher->asked.size(), asked) << "what is there is not asked for again";
}

TEST_F(RemoteToolsTest, ReadsADescriptionFromAFile) {
  const ScratchFolder folder;
  const auto path = folder.write("api.json", kDescription);
  source->configure(read_config(R"({"openapi": [{"file": ")" + path.string() + R"("}]})"));
  EXPECT_EQ(offered().size(), 1u) << (offer.issues.empty() ? "" : offer.issues[0].message);
}

TEST_F(RemoteToolsTest, LooksForADescriptionThatIsNotThereYet) {
  const ScratchFolder folder;
  source->configure(
      read_config(R"({"openapi": [{"file": ")" + (folder.path() / "late.json").string() + R"("}]})"));
  EXPECT_TRUE(offered().empty());
  folder.write("late.json", kDescription);
  now += std::chrono::seconds(31);
  EXPECT_EQ(offered().size(), 1u);
}

TEST_F(RemoteToolsTest, ShowsNoSecretToWhoHasToApprove) {
  source->configure(
      read_config(R"({"tools": {"page": {"http": {"url": "http://a.example/x?key=${FILES_KEY}"}}}})"));
  ASSERT_EQ(offered(), Names({"http page"}));
  EXPECT_EQ(offer.tools[0]->preview({}).words.at(1), "http://a.example/x?key=[redacted]");
}

TEST_F(RemoteToolsTest, TakesSecretsOutBeforeItCuts) {
  source->configure(read_config(
      R"({"tools": {"page": {"maxOutput": 1024, "http": {"url": "http://a.example/x", "headers": {"X-Key": "${FILES_KEY}"}}}}})"));
  ASSERT_EQ(offered(), Names({"http page"}));
  const std::string text = std::string(1020, '.') + "sesame-42";
  fetcher->pages["http://a.example/x"] = "\"" + text + "\"";
  CallContext context;
  context.deadline = std::chrono::steady_clock::now() + std::chrono::hours(1);
  EXPECT_EQ(offer.tools[0]->run({}, context).text.find("ses"), std::string::npos);
}

}  // namespace
}  // namespace parley::orchestration::tools
