#include "orchestration/tools/remote_tools.h"

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "tests/fakes/eventually.h"
#include "tests/orchestration/tools/config_text.h"
#include "tests/orchestration/tools/scratch_folder.h"

namespace parley::orchestration::tools {
namespace {

// Answers from a table of addresses, and keeps the requests.
class TableFetcher final : public fetch::Fetcher {
 public:
  fetch::FetchResponse fetch(const fetch::FetchRequest& request) const override {
    if (silent) return wait_for_stop(request);
    const std::lock_guard lock(mutex);
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

  static fetch::FetchResponse wait_for_stop(const fetch::FetchRequest& request) {
    while (!request.stop.stop_requested()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    fetch::FetchResponse stopped;
    stopped.end = fetch::FetchResponse::End::stopped;
    return stopped;
  }
  void set_page(const std::string& url, const std::string& text) {
    const std::lock_guard lock(mutex);
    pages[url] = text;
  }
  std::size_t num_asked() const {
    const std::lock_guard lock(mutex);
    return asked.size();
  }

  std::atomic<bool> silent{false};  // no host answers
  mutable std::mutex mutex;         // descriptions are read on threads of their own
  std::map<std::string, std::string> pages;
  mutable std::vector<fetch::FetchRequest> asked;
};

constexpr const char* kDescription =
    R"({"openapi":"3.0.3","info":{"title":"t","version":"1"},"servers":[{"url":"http://a.example/v1"}],
    "paths":{"/ticket":{"get":{"operationId":"get_ticket"}}}})";

struct RemoteToolsTest : testing::Test {
  bool is_offered(const std::vector<std::string>& names) {
    return tests::fakes::eventually([&] { return offered() == names; });
  }
  std::vector<std::string> offered() {
    offer = source->offer();
    std::vector<std::string> list;
    for (const ToolPointer& tool : offer.tools) list.push_back(tool->spec().source + " " + tool->spec().name);
    return list;
  }

  std::shared_ptr<TableFetcher> fetcher = std::make_shared<TableFetcher>();
  std::unique_ptr<ToolSource> source =
      make_remote_tools({.fetcher = fetcher, .retry_pause = std::chrono::milliseconds(20)});
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
  EXPECT_EQ(offer.tools[0]->spec().timeout, std::chrono::milliseconds(1234));
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
  EXPECT_EQ(body_of(R"({"key": "${FILES_KEY}", "list": ["$a ${env:FILES_KEY} $${x}"]})"),
            R"({"key":"sesame-42","list":["$a sesame-42 ${x}"]})");
  EXPECT_EQ(offer.tools.at(0)->preview({}).input, R"({"key":"[redacted]","list":["$a [redacted] ${x}"]})");
}

TEST_F(RemoteToolsTest, NamesTheEntryThatCannotBeATool) {
  source->configure(read_config(
      R"({"tools": {"bad": {"http": {"url": "http://a.example/{gone}"}, "parameters": {"type": "object"}}}})"));
  EXPECT_TRUE(offered().empty());
  ASSERT_EQ(offer.issues.size(), 1u);
  EXPECT_EQ(offer.issues[0].place, "tools.bad.http");
  EXPECT_NE(offer.issues[0].message.find("{gone}"), std::string::npos);
}

constexpr const char* kDesk = R"({"openapi": [{"url": "http://a.example/openapi.json", "name": "desk"}]})";

TEST_F(RemoteToolsTest, AsksAgainForADescriptionThatCouldNotBeHad) {
  source->configure(read_config(kDesk));
  ASSERT_TRUE(tests::fakes::eventually([&] { return offered().empty() && offer.issues.size() == 1; }));
  EXPECT_NE(offer.issues[0].message.find("no such host"), std::string::npos) << offer.issues[0].message;
  EXPECT_EQ(offer.issues[0].place, "openapi:desk");
  EXPECT_TRUE(offer.starting.empty()) << "nobody waits for what has failed";
  const std::uint64_t before = offer.version;
  fetcher->set_page("http://a.example/openapi.json", kDescription);
  ASSERT_TRUE(is_offered({"openapi:desk desk_get_ticket"}));
  EXPECT_TRUE(offer.issues.empty());
  EXPECT_GT(offer.version, before);
  const std::size_t asked = fetcher->num_asked();
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_EQ(fetcher->num_asked(), asked) << "what is there is not asked for again";
}

TEST_F(RemoteToolsTest, ASilentHostHoldsUpNothingElse) {
  fetcher->silent = true;
  const auto begin = std::chrono::steady_clock::now();
  source->configure(read_config(R"({"tools": {"page": {"http": {"url": "http://a.example/x"}}},
      "openapi": [{"url": "http://a.example/1", "name": "one"}, {"url": "http://a.example/2", "name": "two"}]})"));
  EXPECT_EQ(offered(), Names({"http page"}));
  EXPECT_EQ(offer.starting, Names({"openapi:one", "openapi:two"}));
  source.reset();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5)) << "and not 10 s for each";
}

TEST_F(RemoteToolsTest, KeepsTheToolsOfADescriptionWhileItIsReadAnew) {
  fetcher->set_page("http://a.example/openapi.json", kDescription);
  source->configure(read_config(kDesk));
  ASSERT_TRUE(is_offered({"openapi:desk desk_get_ticket"}));
  fetcher->silent = true;
  source->configure(read_config(kDesk));
  EXPECT_EQ(offered(), Names({"openapi:desk desk_get_ticket"}));
  EXPECT_TRUE(offer.starting.empty());
  source->configure(read_config(R"({"openapi": [{"url": "http://a.example/other.json", "name": "desk"}]})"));
  EXPECT_EQ(offered(), Names()) << "another description is another thing";
}

TEST_F(RemoteToolsTest, ReadsADescriptionFromAFile) {
  const ScratchFolder folder;
  const auto path = folder.write("api.json", kDescription);
  source->configure(read_config(R"({"openapi": [{"file": ")" + path.string() + R"("}]})"));
  EXPECT_TRUE(is_offered({"openapi:1 get_ticket"})) << (offer.issues.empty() ? "" : offer.issues[0].message);
}

TEST_F(RemoteToolsTest, LooksForADescriptionThatIsNotThereYet) {
  const ScratchFolder folder;
  source->configure(
      read_config(R"({"openapi": [{"file": ")" + (folder.path() / "late.json").string() + R"("}]})"));
  ASSERT_TRUE(tests::fakes::eventually([&] { return offered().empty() && offer.issues.size() == 1; }));
  folder.write("late.json", kDescription);
  EXPECT_TRUE(is_offered({"openapi:1 get_ticket"}));
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
