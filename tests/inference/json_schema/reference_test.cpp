// Verdicts and complaints beside those of PyPI's `jsonschema`, on random schemas and values
// (tests/goldens/json_schema/make_json_schema_goldens.py).
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>

#include "tests/inference/json_schema/schema_fixture.h"

namespace parley::inference::json_schema {
namespace {

using Complaints = std::set<std::pair<std::string, std::string>>;

Complaints expected_complaints(const json::JsonValue& list) {
  Complaints complaints;
  for (const json::JsonValue& pair : list.as_array()) {
    complaints.emplace(pair.as_array().at(0).as_string(), pair.as_array().at(1).as_string());
  }
  return complaints;
}

// The keywords that the golden holds.
Complaints compared(const std::vector<Violation>& violations) {
  static const std::set<std::string> kCompared{"type",
                                               "enum",
                                               "const",
                                               "minimum",
                                               "maximum",
                                               "exclusiveMinimum",
                                               "exclusiveMaximum",
                                               "multipleOf",
                                               "minLength",
                                               "maxLength",
                                               "pattern",
                                               "minItems",
                                               "maxItems",
                                               "uniqueItems",
                                               "minProperties",
                                               "maxProperties"};
  Complaints complaints;
  for (const Violation& violation : violations) {
    if (kCompared.contains(violation.keyword)) complaints.emplace(violation.place, violation.keyword);
  }
  return complaints;
}

TEST(ReferenceTest, AgreesWithAnotherValidator) {
  const json::JsonValue goldens = load_json("tests/goldens/json_schema/json_schema_goldens.json");
  std::size_t cases = 0;
  std::size_t with_complaints = 0;
  for (const json::JsonValue& line : goldens.as_array()) {
    const json::JsonValue& text = line.as_array().at(1);
    const Schema schema = schema_of(text, {.max_violations = 1000});
    for (const json::JsonValue& entry : line.as_array().at(2).as_array()) {
      const json::JsonArray& golden = entry.as_array();
      const auto violations = schema.validate(golden.at(0));
      ++cases;
      ASSERT_EQ(violations.empty(), golden.at(1).as_bool()) << text << " on " << golden.at(0);
      if (golden.at(2).is_null()) continue;
      ++with_complaints;
      EXPECT_EQ(compared(violations), expected_complaints(golden.at(2))) << text << " on " << golden.at(0);
    }
  }
  EXPECT_GT(cases, 1200U);
  EXPECT_GT(with_complaints, 800U);
}

}  // namespace
}  // namespace parley::inference::json_schema
