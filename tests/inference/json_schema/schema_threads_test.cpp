#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "tests/inference/json_schema/schema_fixture.h"

namespace parley::inference::json_schema {
namespace {

TEST(SchemaThreadsTest, AnyNumberMayCheckAtOnce) {
  const Schema schema = compiled(R"({"items": {"pattern": "^[a-z]+$"}, "uniqueItems": true})");
  const json::JsonValue instance = value_of(R"(["a", "b", "C"])");
  std::vector<std::size_t> found(4);
  std::vector<std::thread> threads;
  for (std::size_t& count : found) {
    threads.emplace_back([&count, copy = schema, &instance] {
      for (int i = 0; i < 200; ++i) count += copy.validate(instance).size();
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::size_t count : found) EXPECT_EQ(count, 200U);
}

}  // namespace
}  // namespace parley::inference::json_schema
