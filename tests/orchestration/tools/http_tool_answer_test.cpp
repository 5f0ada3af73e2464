#include "orchestration/tools/http_tool_answer.h"

#include <gtest/gtest.h>

namespace parley::orchestration::tools {
namespace {

using End = fetch::FetchResponse::End;
using Status = ToolResult::Status;

fetch::FetchResponse answer(int status, std::string body, const std::string& type = "text/plain") {
  fetch::FetchResponse response;
  response.end = End::complete;
  response.status = status;
  response.body = std::move(body);
  if (!type.empty()) response.headers = {{"content-type", type}};
  return response;
}

TEST(HttpToolAnswerTest, GivesHeadAndTailOfTextBeyondTheLimitAndSaysSo) {
  ToolResult result = result_of_answer(answer(200, "12345"), 5);
  EXPECT_EQ(result.status, Status::ok);
  EXPECT_EQ(result.text, "12345");
  EXPECT_EQ(result.cut_bytes, 0U);
  result = result_of_answer(answer(200, "1234\xC3\xA9"), 5);
  EXPECT_EQ(result.text, "123\n\xE2\x80\xA6 1 bytes cut \xE2\x80\xA6\n\xC3\xA9");
  EXPECT_EQ(result.cut_bytes, 1U);
  result = result_of_answer(answer(200, "[" + std::string(70000, '1') + "]", "application/json"), 65536);
  EXPECT_TRUE(result.text.starts_with("[111"));
  EXPECT_TRUE(result.text.ends_with("111]"));
  EXPECT_NE(result.text.find("\xE2\x80\xA6 4466 bytes cut \xE2\x80\xA6"), std::string::npos);
  EXPECT_EQ(result.cut_bytes, 4466U);
  fetch::FetchResponse cut = answer(200, "{\"a\": 1", "application/json");
  cut.cut = true;
  result = result_of_answer(cut, 100);
  EXPECT_EQ(result.text, "{\"a\": 1\n[the answer goes on; only its first 7 bytes were read]");
  EXPECT_EQ(result.cut_bytes, 1U);
}

TEST(HttpToolAnswerTest, GivesImagesAsImages) {
  const ToolResult result = result_of_answer(answer(200, "\x89PNG", "image/png"), 100);
  EXPECT_EQ(result.status, Status::ok);
  ASSERT_EQ(result.images.size(), 1U);
  EXPECT_EQ(result.images[0].media_type, "image/png");
  EXPECT_EQ(result.images[0].bytes, "\x89PNG");
  EXPECT_EQ(result.text, "An image (image/png, 4 bytes).");
  fetch::FetchResponse cut = answer(200, "\x89PNG", "image/png");
  cut.cut = true;
  EXPECT_EQ(result_of_answer(cut, 100).status, Status::error);
  EXPECT_TRUE(result_of_answer(cut, 100).images.empty());
  EXPECT_TRUE(result_of_answer(answer(200, "<svg/>", "image/svg+xml"), 100).images.empty());
}

TEST(HttpToolAnswerTest, SaysWhatCannotBeShown) {
  EXPECT_EQ(result_of_answer(answer(200, "%PDF", "application/pdf"), 100).text,
            "The server answered with 4 bytes of application/pdf, which cannot be shown as text.");
  EXPECT_EQ(result_of_answer(answer(204, "", ""), 100).text,
            "The server answered with HTTP status 204 and no content.");
}

TEST(HttpToolAnswerTest, MakesStatusesErrorsWithWhatTheServerSays) {
  ToolResult result = result_of_answer(answer(404, "{\"detail\": \"No such user\"}", "application/json"), 10);
  EXPECT_EQ(result.status, Status::error);
  EXPECT_EQ(result.text, "The server answered with HTTP status 404. It says: {\"detail\":\"No such user\"}");
  result = result_of_answer(answer(500, std::string(10000, 'x')), 65536);
  EXPECT_EQ(result.cut_bytes, 8000U);
  EXPECT_LT(result.text.size(), 2100U);
  EXPECT_EQ(result_of_answer(answer(502, "\0\1", "application/x"), 9).text,
            "The server answered with HTTP status 502.");
  fetch::FetchResponse moved = answer(304, "", "");
  moved.headers = {{"location", "http://b.example/"}};
  EXPECT_EQ(result_of_answer(moved, 9).text,
            "The server answered with HTTP status 304. It points to http://b.example/");
}

TEST(HttpToolAnswerTest, TellsHowARequestEnded) {
  fetch::FetchResponse response;
  for (const auto& [end, status] :
       {std::pair(End::refused, Status::error), std::pair(End::failed, Status::error),
        std::pair(End::timed_out, Status::timed_out), std::pair(End::stopped, Status::cancelled)}) {
    response.end = end;
    response.error = "Why.\x1b[1m";
    const ToolResult result = result_of_answer(response, 100);
    EXPECT_EQ(result.status, status);
    EXPECT_EQ(result.text, end == End::stopped ? "The call was stopped." : "Why.");
  }
}

}  // namespace
}  // namespace parley::orchestration::tools
