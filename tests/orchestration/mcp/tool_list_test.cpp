#include "orchestration/mcp/tool_list.h"

#include <gtest/gtest.h>

#include "tests/orchestration/mcp/scripted_transport.h"

namespace parley::orchestration::mcp {
namespace {

using Pages = std::function<std::string(const std::string& request, int page)>;

std::string tool_text(const std::string& name) { return R"({"name":")" + name + R"(","inputSchema":{}})"; }

struct ToolListTest : testing::Test {
  std::variant<ToolList, std::string> list(const Pages& pages) {
    script->on_send = [this, pages](Script& server, const Outgoing& message) {
      if (message.method == "tools/list") server.answer(message.request, pages(message.text, asked++));
    };
    Session session(script->transport(script), log, {});
    session.start();
    return list_tools(session, log,
                      {.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20),
                       .stop = {},
                       .on_progress = {}});
  }

  std::vector<std::string> names(const std::variant<ToolList, std::string>& listed) {
    std::vector<std::string> found;
    for (const ToolDefinition& tool : std::get<ToolList>(listed).tools) found.push_back(tool.name);
    return found;
  }

  std::shared_ptr<Script> script = std::make_shared<Script>();
  ServerLog log;
  int asked = 0;
};

using Names = std::vector<std::string>;

TEST_F(ToolListTest, pages_are_followed_and_sorted_by_name) {
  const auto listed = list([](const std::string& request, int page) {
    if (page == 0) return R"({"tools":[)" + tool_text("b") + R"(],"nextCursor":"next page","ttlMs":5000})";
    EXPECT_NE(request.find(R"("cursor":"next page")"), std::string::npos);
    return R"({"tools":[)" + tool_text("a") + "," + tool_text("c") + R"(],"ttlMs":1000})";
  });
  EXPECT_EQ(names(listed), (Names{"a", "b", "c"}));
  EXPECT_EQ(std::get<ToolList>(listed).fresh_for, std::chrono::milliseconds(1000));
  EXPECT_NE(std::get<ToolList>(listed).find("b"), nullptr);
  EXPECT_EQ(std::get<ToolList>(listed).find("d"), nullptr);
}

TEST_F(ToolListTest, bad_and_double_tools_are_left_out_with_a_note) {
  const auto listed = list([](const std::string&, int) {
    return R"({"tools":[5,{"name":"x"},)" + tool_text("a") + "," + tool_text("a") + R"(],"ttlMs":-4})";
  });
  EXPECT_EQ(names(listed), Names{"a"});
  EXPECT_EQ(log.lines().size(), 3u);
  EXPECT_EQ(std::get<ToolList>(listed).fresh_for, std::chrono::milliseconds(0));
}

TEST_F(ToolListTest, a_list_in_circles_ends) {
  const auto listed = list([](const std::string&, int page) {
    return R"({"tools":[)" + tool_text("t" + std::to_string(page)) + R"(],"nextCursor":")" +
           (page % 2 ? "x" : "y") + "\"}";
  });
  EXPECT_EQ(names(listed).size(), 3u);
  EXPECT_NE(log.lines().back().text.find("circles"), std::string::npos);
}

TEST_F(ToolListTest, an_endless_list_ends_at_its_pages) {
  const auto listed = list([](const std::string&, int page) {
    return R"({"tools":[],"nextCursor":")" + std::to_string(page) + "\"}";
  });
  EXPECT_TRUE(names(listed).empty());
  EXPECT_EQ(asked, ToolList::kMaxPages);
}

TEST_F(ToolListTest, too_many_tools_are_cut) {
  const auto listed = list([](const std::string&, int page) {
    std::string tools;
    for (int i = 0; i < 300; ++i)
      tools += (i == 0 ? "" : ",") + tool_text("t" + std::to_string(page * 300 + i));
    return R"({"tools":[)" + tools + R"(],"nextCursor":")" + std::to_string(page) + "\"}";
  });
  EXPECT_EQ(names(listed).size(), ToolList::kMaxTools);
  EXPECT_EQ(asked, 4);
}

TEST_F(ToolListTest, too_much_text_is_cut) {
  const auto listed = list([](const std::string&, int page) {
    return R"({"tools":[{"name":"t)" + std::to_string(page) + R"(","inputSchema":{},"description":")" +
           std::string(200000, 'x') + R"("}],"nextCursor":")" + std::to_string(page) + "\"}";
  });
  EXPECT_EQ(names(listed).size(), 41u);  // of 200 kB each, in 8 MiB
}

TEST_F(ToolListTest, what_is_no_list_is_a_clear_failure) {
  for (const char* result : {"{}", R"({"tools":{}})", R"({"tools":null})"}) {
    const auto listed = list([result](const std::string&, int) { return result; });
    EXPECT_NE(std::get<std::string>(listed).find("no list of tools"), std::string::npos);
  }
  script->on_send = [](Script& server, const Outgoing& message) { server.refuse(message.request, -32603); };
  Session session(script->transport(script), log, {});
  session.start();
  EXPECT_EQ(std::get<std::string>(list_tools(session, log, {})), "its tools cannot be listed: refused");
}

}  // namespace
}  // namespace parley::orchestration::mcp
