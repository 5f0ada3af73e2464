#include "orchestration/turn/output_constraint.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <string_view>

#include "tests/orchestration/turn/local_model_fixture.h"
#include "tests/orchestration/turn/toy_text.h"

namespace parley::orchestration::turn {
namespace {

using inference::json::JsonArray;
using inference::json::JsonObject;
using Kind = OutputFormat::Kind;

class OutputConstraintTest : public testing::Test {
 protected:
  OutputFormat schema(JsonObject object) {
    OutputFormat format;
    format.kind = Kind::json_schema;
    format.schema = std::move(object);
    return format;
  }
  OutputFormat regex(const std::string& pattern) {
    OutputFormat format;
    format.kind = Kind::regex;
    format.pattern = pattern;
    return format;
  }
  // Whether the model may write this, and end there.
  bool admits(const OutputFormat& format, std::string_view text) {
    const auto made = make_output_constraint(format, vocabulary_);
    const auto walked = std::get<ConstraintPointer>(made)->clone();
    for (const std::int32_t id : tokenizer_.encode(text)) {
      if (!walked->allows(id)) return false;
      walked->accept(id);
    }
    return walked->allows(kToyStop);
  }
  std::string refusal(const OutputFormat& format) {
    const auto made = make_output_constraint(format, vocabulary_);
    const auto* rejection = std::get_if<ChatRejection>(&made);
    if (rejection == nullptr) return "";
    EXPECT_EQ(rejection->kind, ChatRejection::Kind::invalid_format);
    return rejection->message;
  }

  ToyTokenizer tokenizer_;
  std::shared_ptr<const inference::grammar::VocabularyIndex> vocabulary_ =
      std::make_shared<const inference::grammar::VocabularyIndex>(tokenizer_);
};

TEST_F(OutputConstraintTest, AFreeAnswerHasNone) {
  EXPECT_EQ(std::get<ConstraintPointer>(make_output_constraint({}, vocabulary_)), nullptr);
}

TEST_F(OutputConstraintTest, EnforcesSchemasObjectsAndPatterns) {
  const OutputFormat city = schema({{"type", "object"},
                                    {"properties", JsonObject{{"city", JsonObject{{"type", "string"}}}}},
                                    {"required", JsonArray{"city"}},
                                    {"additionalProperties", false}});
  EXPECT_TRUE(admits(city, R"({"city": "Oslo"})"));
  EXPECT_FALSE(admits(city, R"({"city": 1})"));
  EXPECT_FALSE(admits(city, "Oslo"));
  OutputFormat object;
  object.kind = Kind::json_object;
  EXPECT_TRUE(admits(object, R"({"any": [1, null]})"));
  EXPECT_FALSE(admits(object, "[1]"));
  EXPECT_TRUE(admits(regex("(yes|no)!"), "no!"));
  EXPECT_FALSE(admits(regex("(yes|no)!"), "no"));
}

TEST_F(OutputConstraintTest, RefusesWhatItCannotEnforceAndSaysWhatToDo) {
  EXPECT_NE(refusal(regex("(?=a)")), "");
  EXPECT_NE(refusal(schema({{"$ref", "http://a.example/x"}})), "");
  EXPECT_NE(refusal(schema({{"type", "string"}, {"enum", JsonArray{1}}})), "") << "admits nothing";
  OutputFormat partly =
      schema({{"type", "array"}, {"items", JsonObject{{"type", "integer"}}}, {"uniqueItems", true}});
  const std::string words = refusal(partly);
  EXPECT_NE(words.find("uniqueItems"), std::string::npos) << words;
  EXPECT_NE(words.find("\"strict\""), std::string::npos) << words;
  partly.unchecked = UncheckedParts::accept;
  EXPECT_TRUE(admits(partly, "[1,1]"));
}

TEST_F(LocalModelTest, GivesTheEngineTheConstraint) {
  generate("{}");
  ChatRequest chat = request();
  chat.format.kind = Kind::json_object;
  read(std::move(chat));
  const auto constraint = engine_->request(0).constraint;
  ASSERT_NE(constraint, nullptr);
  EXPECT_TRUE(constraint->allows('{'));
  EXPECT_FALSE(constraint->allows('x'));
  read(request());
  EXPECT_EQ(engine_->request(1).constraint, nullptr);
}

TEST_F(LocalModelTest, RefusesAFormatThatCannotBeEnforcedBeforeTheEngineHearsOfIt) {
  ChatRequest chat = request();
  chat.format.kind = Kind::regex;
  chat.format.pattern = "(a";
  EXPECT_EQ(refused(std::move(chat)).kind, ChatRejection::Kind::invalid_format);
  EXPECT_THROW(engine_->request(0), std::out_of_range);
}

}  // namespace
}  // namespace parley::orchestration::turn
