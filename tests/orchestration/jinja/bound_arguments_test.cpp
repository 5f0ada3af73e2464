#include "orchestration/jinja/bound_arguments.h"

#include <gtest/gtest.h>

#include <string>

namespace parley::orchestration::jinja {
namespace {

class Binding : public testing::Test {
 protected:
  BoundArguments bind(const Arguments& arguments) {
    return BoundArguments(interpreter_, arguments, {"f()", {"a", "b", "c"}, 1});
  }

  std::string failure(const Arguments& arguments) {
    try {
      bind(arguments);
    } catch (const TemplateError& error) {
      return error.what();
    }
    return {};
  }

  RenderLimits limits_;
  Interpreter interpreter_{"", limits_, {}};
};

TEST_F(Binding, TakesPositionsAndNames) {
  const Arguments arguments = {{Value::integer(1)}, {{Text("c", kTemplateOrigin), Value::integer(3)}}};
  const BoundArguments bound = bind(arguments);
  EXPECT_EQ(bound.integer(0, 0), 1);
  EXPECT_FALSE(bound.has(1));
  EXPECT_EQ(bound.integer(1, 9), 9);
  EXPECT_TRUE(bound[1].is(Value::Kind::undefined));
  EXPECT_EQ(bound.integer(2, 0), 3);
}

TEST_F(Binding, ConvertsAndChecks) {
  const Arguments arguments = {{Value::text("x", 1), Value::boolean(true), Value::integer(0)}, {}};
  const BoundArguments bound = bind(arguments);
  EXPECT_EQ(bound.text(0).view(), "x");
  EXPECT_TRUE(bound.flag(0));
  EXPECT_EQ(bound.integer(1, 0), 1);
  EXPECT_FALSE(bound.flag(2));
  EXPECT_EQ(bound.text(2).view(), "0");
  EXPECT_THROW(bound.integer(0, 0), TemplateError);
}

TEST_F(Binding, SaysWhatIsWrong) {
  EXPECT_NE(failure({}).find("f() needs the argument 'a'"), std::string::npos);
  EXPECT_NE(failure({ValueList(4), {}}).find("f() takes at most 3 arguments, not 4"), std::string::npos);
  EXPECT_NE(failure({ValueList(1), {{Text("d", kTemplateOrigin), Value()}}}).find("f() has no argument 'd'"),
            std::string::npos);
  EXPECT_NE(failure({ValueList(1), {{Text("a", kTemplateOrigin), Value()}}}).find("f() got 'a' twice"),
            std::string::npos);
  EXPECT_EQ(failure({ValueList(3), {}}), "");
}

}  // namespace
}  // namespace parley::orchestration::jinja
