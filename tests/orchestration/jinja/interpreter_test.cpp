#include "orchestration/jinja/interpreter.h"

#include <gtest/gtest.h>

#include <string>

#include "orchestration/jinja/capture.h"

namespace parley::orchestration::jinja {
namespace {

template <typename Act>
std::string failure_of(Act act) {
  try {
    act();
  } catch (const TemplateError& error) {
    return error.what();
  }
  return "";
}

TEST(Interpreter, FailuresNameThePlaceSetLast) {
  const RenderLimits limits;
  Interpreter interpreter("one\ntwo three", limits, {});
  interpreter.at(8);
  EXPECT_EQ(failure_of([&] { interpreter.fail("no"); }), "chat template line 2, column 5: no, near `three`");
  EXPECT_EQ(failure_of([&] { interpreter.refuse("never"); }),
            "the chat template refuses this conversation: never (line 2, column 5)");
}

TEST(Interpreter, StepsAndWorkAreCountedTogether) {
  RenderLimits limits;
  limits.max_steps = 10;
  Interpreter interpreter("", limits, {});
  for (int i = 0; i < 10; ++i) interpreter.step();
  EXPECT_NE(failure_of([&] { interpreter.step(); }).find("more than 10 steps"), std::string::npos);
  Interpreter looking("", limits, {});
  looking.work(10 * 256);  // as much as ten steps
  EXPECT_NE(failure_of([&] { looking.work(256); }).find("more than 10 steps"), std::string::npos);
  Interpreter tiny("", limits, {});
  EXPECT_NE(failure_of([&] {
              for (int i = 0; i < 1000; ++i) tiny.work(0);
            }),
            "");  // many pieces of no size count too
}

TEST(Interpreter, MemoryIsChargedOnceAndForAll) {
  RenderLimits limits;
  limits.max_memory_bytes = 1 << 20;
  Interpreter interpreter("", limits, {});
  interpreter.charge(1 << 19);
  interpreter.charge((1 << 19) - 1);
  interpreter.charge(1);
  EXPECT_NE(failure_of([&] { interpreter.charge(1); }).find("1 MiB of memory"), std::string::npos);
  Interpreter huge("", limits, {});
  const std::size_t many = std::size_t{1} << 40;
  EXPECT_NE(failure_of([&] { huge.charge(many, many); }), "");  // more than can be multiplied
  EXPECT_NE(failure_of([&] { huge.make_list(ValueList(1 << 16)); }), "");
}

TEST(Interpreter, OutputGoesToTheInnermostCapture) {
  RenderLimits limits;
  limits.max_output_bytes = 4;
  Interpreter interpreter("", limits, {});
  Capture outer(interpreter);
  interpreter.write(Text("a", 1));
  {
    Capture inner(interpreter);
    interpreter.write(Text("b", 1));
    EXPECT_EQ(inner.builder().take().view(), "b");
  }
  interpreter.write(Text("cde", 1));
  EXPECT_NE(failure_of([&] { interpreter.write(Text("f", 1)); }).find("writes more than"), std::string::npos);
  EXPECT_EQ(outer.builder().take().view(), "acde");
}

TEST(Interpreter, MadeListsMayChangeUntilTheEnd) {
  const RenderLimits limits;
  std::weak_ptr<List> list;
  {
    Interpreter interpreter("", limits, {});
    list = interpreter.make_list({Value::integer(1)}).as_list();
    ASSERT_FALSE(list.expired());  // nobody else holds it
    EXPECT_FALSE(list.lock()->frozen);
    list.lock()->items.push_back(Value(list.lock()));  // in a circle
  }
  EXPECT_TRUE(list.expired());
}

TEST(Interpreter, InternedNamesLastAndAreCut) {
  const RenderLimits limits;
  Interpreter interpreter("", limits, {});
  const std::string_view name = interpreter.intern(std::string("name"));
  EXPECT_EQ(interpreter.intern(std::string("name")).data(), name.data());
  std::string long_name;
  for (int i = 0; i < 100; ++i) long_name += "é";
  EXPECT_EQ(interpreter.intern(long_name), long_name.substr(0, 120));
}

TEST(Interpreter, NestingAndCallsAreBounded) {
  RenderLimits limits;
  limits.max_depth = 2;
  Interpreter interpreter("", limits, {});
  {
    const CallDepth one(interpreter);
    const CallDepth two(interpreter);
    EXPECT_NE(failure_of([&] { const CallDepth three(interpreter); }).find("more than 2 macro calls"),
              std::string::npos);
  }
  std::vector<std::unique_ptr<Nesting>> levels;
  EXPECT_NE(failure_of([&] {
              for (int i = 0; i < 10'000; ++i) levels.push_back(std::make_unique<Nesting>(interpreter));
            }).find("nests too deeply"),
            std::string::npos);
  EXPECT_GT(levels.size(), 1000u);
}

}  // namespace
}  // namespace parley::orchestration::jinja
