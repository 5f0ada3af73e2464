// Items and slices against an obvious twin of Python's rules.

#include "orchestration/jinja/attributes.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "tests/orchestration/jinja/render_helper.h"

namespace parley::orchestration::jinja {
namespace {

using Bound = std::optional<int>;

// Walks the whole sequence for each position that the slice may name.
std::string python_slice(const std::string& text, Bound start, Bound stop, int step) {
  const int size = static_cast<int>(text.size());
  const auto place = [size, step](int bound) {
    if (bound < 0) bound += size;
    if (step > 0) return std::min(std::max(bound, 0), size);
    return std::min(std::max(bound, -1), size - 1);
  };
  const int first = start ? place(*start) : step > 0 ? 0 : size - 1;
  const int last = stop ? place(*stop) : step > 0 ? size : -1;
  std::string result;
  for (int i = first; step > 0 ? i < last : i > last; i += step) result += text[static_cast<std::size_t>(i)];
  return result;
}

Value bound_value(Bound bound) { return bound ? Value::integer(*bound) : Value::none(); }

class Attributes : public testing::Test {
 protected:
  RenderLimits limits_ = {.max_steps = 100'000'000, .max_memory_bytes = std::size_t{1} << 30};
  Interpreter interpreter_{"", limits_, {}};
};

TEST_F(Attributes, SlicesOfTextAndListsAreThoseOfTheTwin) {
  const std::vector<Bound> bounds = {{}, -9, -5, -4, -2, -1, 0, 1, 3, 4, 5, 9};
  for (const std::string& text : {std::string(), std::string("a"), std::string("abcde")}) {
    ValueList characters;
    for (const char c : text) characters.push_back(Value::text(std::string(1, c), 1));
    for (const Bound& start : bounds) {
      for (const Bound& stop : bounds) {
        for (const int step : {-7, -3, -2, -1, 1, 2, 3, 7}) {
          const SliceBounds slice = {bound_value(start), bound_value(stop), Value::integer(step)};
          const std::string expected = python_slice(text, start, stop, step);
          const Value sliced = slice_of(interpreter_, Value::text(text, 1), slice);
          ASSERT_EQ(sliced.as_text().view(), expected);
          std::string joined;
          for (const Value& item : slice_of(interpreter_, Value::list(characters), slice).as_list()->items) {
            joined += item.as_text().view();
          }
          ASSERT_EQ(joined, expected);
        }
      }
    }
  }
}

TEST_F(Attributes, SlicesCountCodePoints) {
  const Value text = Value::text("aé€😀", 1);
  const auto sliced = [&](int start, int stop, int step) {
    const SliceBounds bounds = {Value::integer(start), Value::integer(stop), Value::integer(step)};
    return std::string(slice_of(interpreter_, text, bounds).as_text().view());
  };
  EXPECT_EQ(sliced(1, 3, 1), "é€");
  EXPECT_EQ(sliced(-1, -4, -1), "😀€é");
  EXPECT_EQ(sliced(0, 4, 2), "a€");
}

TEST_F(Attributes, SlicesTakeExtremeBounds) {
  const std::int64_t highest = std::numeric_limits<std::int64_t>::max();
  const std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
  for (const std::int64_t start : {lowest, highest}) {
    for (const std::int64_t stop : {lowest, highest}) {
      for (const std::int64_t step : {lowest, highest}) {
        const SliceBounds bounds = {Value::integer(start), Value::integer(stop), Value::integer(step)};
        EXPECT_LE(slice_of(interpreter_, Value::text("abc", 1), bounds).as_text().size(), 1u);
      }
    }
  }
}

TEST_F(Attributes, ItemsCountFromBothEnds) {
  const Value text = Value::text("aé😀", 1);
  const std::string items[] = {"a", "é", "😀"};
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(item_of(interpreter_, text, Value::integer(i)).as_text().view(), items[i]);
    EXPECT_EQ(item_of(interpreter_, text, Value::integer(i - 3)).as_text().view(), items[i]);
  }
  for (const std::int64_t outside :
       {std::int64_t{3}, std::int64_t{-4}, std::numeric_limits<std::int64_t>::max(),
        std::numeric_limits<std::int64_t>::min()}) {
    EXPECT_TRUE(item_of(interpreter_, text, Value::integer(outside)).is(Value::Kind::undefined));
    EXPECT_TRUE(
        item_of(interpreter_, Value::list({text}), Value::integer(outside)).is(Value::Kind::undefined));
  }
}

TEST_F(Attributes, NamesAreMethodsFirstAndKeysFirstInBrackets) {
  Dict dict;
  dict.set("items", Value::integer(1));
  dict.set("own", Value::integer(2));
  const Value value = Value::dict(dict);
  EXPECT_TRUE(attribute_of(interpreter_, value, "items").is(Value::Kind::object));
  EXPECT_EQ(item_of(interpreter_, value, Value::text("items", 1)).as_integer(), 1);
  EXPECT_EQ(attribute_of(interpreter_, value, "own").as_integer(), 2);
  EXPECT_TRUE(item_of(interpreter_, value, Value::text("keys", 1)).is(Value::Kind::object));
  EXPECT_TRUE(attribute_of(interpreter_, value, "none").is(Value::Kind::undefined));
}

TEST_F(Attributes, PathsGoThroughDictsAndLists) {
  const Value value = *[] {
    Dict inner;
    inner.set("b", Value::list({Value::text("x", 1), Value::text("y", 1)}));
    Dict outer;
    outer.set("a", Value::dict(inner));
    return std::make_optional(Value::dict(outer));
  }();
  EXPECT_EQ(follow_path(interpreter_, value, Value::text("a.b.1", 0)).as_text().view(), "y");
  EXPECT_EQ(follow_path(interpreter_, value, Value::text("a.z", 0), Value::integer(5)).as_integer(), 5);
  EXPECT_TRUE(follow_path(interpreter_, value, Value::text("z", 0)).is(Value::Kind::undefined));
  EXPECT_THROW(follow_path(interpreter_, value, Value::text("z.y", 0)), TemplateError);
  EXPECT_EQ(follow_path(interpreter_, Value::list({Value::integer(7)}), Value::integer(0)).as_integer(), 7);
}

TEST_F(Attributes, IterationDoesNotSeeLaterChanges) {
  const Value list = interpreter_.make_list({Value::integer(1)});
  const auto items = iterate(interpreter_, list);
  list.as_list()->items.push_back(Value::integer(2));
  EXPECT_EQ(items->items.size(), 1u);
}

TEST_F(Attributes, GeneratorsAreUsedUp) {
  const Value generator = interpreter_.make_list({Value::integer(1)}, Sequence::generator);
  EXPECT_EQ(iterate(interpreter_, generator)->items.size(), 1u);
  EXPECT_EQ(iterate(interpreter_, generator)->items.size(), 0u);
  EXPECT_EQ(length_of(interpreter_, generator), std::nullopt);
}

TEST_F(Attributes, SomeValuesHaveNoItems) {
  for (const Value& value : {Value::none(), Value::integer(1), Value::floating(1), Value::boolean(true)}) {
    EXPECT_FALSE(iterable(value));
    EXPECT_THROW(iterate(interpreter_, value), TemplateError);
    EXPECT_EQ(length_of(interpreter_, value), std::nullopt);
    EXPECT_TRUE(attribute_of(interpreter_, value, "x").is(Value::Kind::undefined));
  }
}

}  // namespace
}  // namespace parley::orchestration::jinja
