#include <gtest/gtest.h>

#include <string>

#include "app/api/api_routes.h"
#include "tests/app/api/fake_exchange.h"

namespace parley::app::api {
namespace {

class ModelsHandlerTest : public testing::Test {
 protected:
  explicit ModelsHandlerTest(int max_context = 0) {
    orchestration::turn::ModelInfo info;
    info.name = "a model";
    info.max_context = max_context;
    slot_ = orchestration::turn::make_model_slot(info);
    handler_ = make_models(*slot_);
  }

  std::shared_ptr<orchestration::turn::ModelSlot> slot_;
  std::unique_ptr<http::Handler> handler_;
};

class ModelsWithContextTest : public ModelsHandlerTest {
 protected:
  ModelsWithContextTest() : ModelsHandlerTest(4096) {}
};

TEST_F(ModelsHandlerTest, ListsTheModelAlsoWhileItLoads) {
  const auto list = answer_to_get(*handler_, "/v1/models");
  EXPECT_EQ(list.status, 200);
  EXPECT_TRUE(
      list.body.starts_with(R"({"object":"list","data":[{"id":"a model","object":"model","created":)"))
      << list.body;
  EXPECT_TRUE(list.body.ends_with(R"("owned_by":"parley"}]})")) << list.body;
}

TEST_F(ModelsWithContextTest, TellsTheContextOnceItIsKnown) {
  EXPECT_TRUE(answer_to_get(*handler_, "/v1/models").body.ends_with(R"("max_model_len":4096}]})"));
}

TEST_F(ModelsHandlerTest, FindsTheModelByItsEncodedName) {
  EXPECT_TRUE(answer_to_get(*handler_, "/v1/models/a%20model").body.starts_with(R"({"id":"a model")"));
}

TEST_F(ModelsHandlerTest, KnowsNoOther) {
  for (const char* name : {"/", "/gpt-4", "/a%20model/x", "/a%2", "/a%00model", "/A%20model"}) {
    const auto other = answer_to_get(*handler_, "/v1/models" + std::string(name));
    EXPECT_EQ(other.status, 404) << name;
    EXPECT_NE(other.body.find("model_not_found"), std::string::npos) << name;
    EXPECT_NE(other.body.find("a model"), std::string::npos) << name;
  }
}

}  // namespace
}  // namespace parley::app::api
