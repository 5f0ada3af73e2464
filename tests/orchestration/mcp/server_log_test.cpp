#include "orchestration/mcp/server_log.h"

#include <gtest/gtest.h>

#include <string>

namespace parley::orchestration::mcp {
namespace {

TEST(ServerLog, keeps_the_last_lines_as_plain_text) {
  ServerLog log;
  log.add(LogLine::Origin::error_stream, "\x1b[31merror\x1b[0m at\nline 2");
  log.add(LogLine::Origin::note, " \t\x1b[0m");
  const auto lines = log.lines();
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].text, "error at line 2");
  EXPECT_EQ(lines[0].origin, LogLine::Origin::error_stream);
}

TEST(ServerLog, is_bounded_in_lines_and_bytes) {
  ServerLog log;
  for (std::size_t i = 0; i < ServerLog::kMaxLines + 50; ++i) {
    log.add(LogLine::Origin::message, std::to_string(i) + std::string(5000, 'x'));
  }
  const auto lines = log.lines();
  EXPECT_EQ(lines.size(), ServerLog::kMaxLines);
  EXPECT_EQ(log.dropped(), 50u);
  EXPECT_TRUE(lines.front().text.starts_with("50x"));
  EXPECT_LE(lines.front().text.size(), ServerLog::kMaxLineBytes + 3);
}

}  // namespace
}  // namespace parley::orchestration::mcp
