#include <chrono>

#include "app/api/api_error.h"
#include "app/api/api_routes.h"
#include "app/http/percent.h"

namespace parley::app::api {
namespace {

namespace asio = boost::asio;
using orchestration::turn::ModelSlot;

constexpr std::string_view kPath = "/v1/models";

class ModelsHandler : public http::Handler {
 public:
  explicit ModelsHandler(ModelSlot& slot)
      : slot_(slot),
        created_(std::chrono::duration_cast<std::chrono::seconds>(
                     std::chrono::system_clock::now().time_since_epoch())
                     .count()) {}

  asio::awaitable<void> handle(http::Exchange& exchange) override {
    co_await exchange.respond(answer(exchange.request().head.path));
  }

 private:
  http::Response answer(std::string_view path) const {
    path.remove_prefix(kPath.size());
    if (path.empty()) return list();
    const auto id = http::decode_percent(path.substr(1));
    if (id && *id == slot_.info().name) return json_response(model());
    return error_response(model_not_found(slot_.info().name));
  }

  http::Response list() const {
    inference::json::JsonObject object;
    object["object"] = "list";
    object["data"].emplace_array().push_back(model());
    return json_response(object);
  }

  inference::json::JsonObject model() const {
    inference::json::JsonObject object;
    object["id"] = slot_.info().name;
    object["object"] = "model";
    object["created"] = created_;
    object["owned_by"] = "parley";
    if (slot_.info().max_context > 0) object["max_model_len"] = slot_.info().max_context;
    return object;
  }

  ModelSlot& slot_;
  std::int64_t created_;
};

}  // namespace

std::unique_ptr<http::Handler> make_models(ModelSlot& slot) { return std::make_unique<ModelsHandler>(slot); }

}  // namespace parley::app::api
