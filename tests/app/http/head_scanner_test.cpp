#include "app/http/head_scanner.h"

#include <gtest/gtest.h>

#include <string>

namespace parley::app::http {
namespace {

std::string head_with(const std::string& fields) { return "GET / HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n"; }

// The status of a refusal; 0: a whole head; -1: more is needed.
int scanned(const std::string& bytes) {
  HeadScanner scanner(HttpLimits{});
  const auto result = scanner.scan(bytes);
  if (const auto* refusal = std::get_if<Refusal>(&result)) return refusal->status;
  return std::holds_alternative<std::size_t>(result) ? 0 : -1;
}

TEST(HeadScannerTest, FindsTheEndHoweverTheBytesAreSplit) {
  const std::string head = head_with("A: b\r\n");
  for (std::size_t step = 1; step <= head.size(); ++step) {
    HeadScanner scanner(HttpLimits{});
    HeadScanner::Result result;
    for (std::size_t end = step; end < head.size(); end += step) {
      result = scanner.scan(head.substr(0, end));
      ASSERT_TRUE(std::holds_alternative<HeadScanner::NeedMore>(result)) << step;
    }
    result = scanner.scan(head + "GET /next");
    ASSERT_TRUE(std::holds_alternative<std::size_t>(result)) << step;
    EXPECT_EQ(std::get<std::size_t>(result), head.size()) << step;
  }
}

TEST(HeadScannerTest, BoundsTheRequestLineBeforeItEnds) {
  HeadScanner scanner(HttpLimits{});
  const auto result = scanner.scan("GET /" + std::string(8200, 'a'));
  ASSERT_TRUE(std::holds_alternative<Refusal>(result));
  EXPECT_EQ(std::get<Refusal>(result).status, 414);
}

TEST(HeadScannerTest, BoundsTheHead) {
  EXPECT_EQ(scanned(head_with("A: " + std::string(15000, 'a') + "\r\n")), 0);
  EXPECT_EQ(scanned(head_with("A: " + std::string(16400, 'a') + "\r\n")), 431);
  HeadScanner scanner(HttpLimits{});
  const auto open_end = scanner.scan("GET / HTTP/1.1\r\nA: " + std::string(17000, 'a'));
  ASSERT_TRUE(std::holds_alternative<Refusal>(open_end));
  EXPECT_EQ(std::get<Refusal>(open_end).status, 431);
}

TEST(HeadScannerTest, BoundsTheNumberOfFields) {
  std::string fields;
  for (int i = 0; i < 99; ++i) fields += "A: b\r\n";
  EXPECT_EQ(scanned(head_with(fields)), 0);
  EXPECT_EQ(scanned(head_with(fields + "A: b\r\n")), 431);
}

}  // namespace
}  // namespace parley::app::http
