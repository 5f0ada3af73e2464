// The variable `loop`. Expected texts are those of Python's jinja2.

#include "orchestration/jinja/loop_object.h"

#include <gtest/gtest.h>

#include "tests/orchestration/jinja/render_helper.h"

namespace parley::orchestration::jinja {
namespace {

TEST(LoopObject, CountsFromBothEnds) {
  expect_renders({
      {"{% for x in 'abc' %}{{ loop.index }}{{ loop.index0 }}{{ loop.revindex }}{{ loop.revindex0 }} {% "
       "endfor %}",
       "1032 2121 3210 "},
      {"{% for x in 'abc' %}{{ loop.first }}{{ loop.last }}{{ loop.length }} {% endfor %}",
       "TrueFalse3 FalseFalse3 FalseTrue3 "},
      {"{% for x in 'a' %}{{ loop.first }}{{ loop.last }}{{ loop.depth }}{{ loop.depth0 }}{% endfor %}",
       "TrueTrue10"},
  });
}

TEST(LoopObject, KnowsTheNeighbours) {
  expect_renders({
      {"{% for x in 'abc' %}{{ loop.previtem }}{{ loop.nextitem }} {% endfor %}", "b ac b "},
      {"{% for x in 'ab' %}{{ loop.previtem is defined }}{{ loop.nextitem is defined }} {% endfor %}",
       "FalseTrue TrueFalse "},
      {"{% for x in [1, 2] if x > 1 %}{{ loop.previtem is defined }}{% endfor %}", "False"},
  });
}

TEST(LoopObject, CyclesThroughItsArguments) {
  expect_renders({
      {"{% for x in 'abcd' %}{{ loop.cycle('x', 'y', 'z') }}{% endfor %}", "xyzx"},
      {"{% for x in 'ab' %}{{ loop.cycle(x) }}{% endfor %}", "ab"},
  });
}

TEST(LoopObject, SeesChanges) {
  expect_renders({
      {"{% for x in [1, 1, 2, 2, 1] %}{{ loop.changed(x) }} {% endfor %}", "True False True False True "},
      {"{% for x in 'aab' %}{{ loop.changed(x, 1) }} {% endfor %}", "True False True "},
      {"{% for x in [none, none] %}{{ loop.changed(x) }} {% endfor %}", "True False "},
  });
}

TEST(LoopObject, IsThatOfTheInnermostLoop) {
  expect_renders({
      {"{% for x in 'ab' %}{% for y in 'cd' %}{{ loop.index }}{% endfor %}{{ loop.index }} {% endfor %}",
       "121 122 "},
      {"{% for x in 'ab' %}{% set outer = loop %}{% for y in 'c' %}{{ outer.index }}{{ loop.index }}{% "
       "endfor %} {% endfor %}",
       "11 21 "},
      {"{{ loop is defined }}", "False"},
  });
}

TEST(LoopObject, FailuresNameTheCause) {
  expect_failures({
      {"{% for x in [1] %}{{ loop.cycle() }}{% endfor %}", "no items for cycling given"},
      {"{% for x in [1] %}{{ loop.nope.x }}{% endfor %}", "has no attribute 'nope'"},
  });
}

TEST(LoopObject,
     CanBeReleasedWhileItIsReferredTo) {  // a loop that holds itself is freed; under the sanitizer
  EXPECT_EQ(render_text("{% set n = namespace() %}{% for x in [n] %}{% set n.l = [loop, loop.cycle] %}"
                        "{{ loop.changed(n) }}{% endfor %}"),
            "True");
}

}  // namespace
}  // namespace parley::orchestration::jinja
