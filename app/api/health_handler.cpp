#include "app/api/api_error.h"
#include "app/api/api_routes.h"

namespace parley::app::api {
namespace {

namespace asio = boost::asio;
using orchestration::turn::ModelSlot;

http::Response failed(int status, const std::string& why) {
  inference::json::JsonObject object;
  object["status"] = "failed";
  object["error"] = why;
  return json_response(object, status);
}

class HealthHandler : public http::Handler {
 public:
  HealthHandler(ModelSlot& slot, const Heartbeat& heartbeat) : slot_(slot), heartbeat_(heartbeat) {}

  asio::awaitable<void> handle(http::Exchange& exchange) override { co_await exchange.respond(answer()); }

 private:
  http::Response answer() const {
    if (slot_.state() == ModelSlot::State::failed) return failed(503, slot_.failure());
    if (heartbeat_.failure()) return failed(500, *heartbeat_.failure());
    inference::json::JsonObject object;
    if (slot_.state() == ModelSlot::State::ready) {
      object["status"] = "ok";
      return json_response(object);
    }
    object["status"] = "loading";
    object["progress"] = slot_.progress();
    http::Response response = json_response(object, 503);
    response.fields.push_back({"Retry-After", "1"});
    return response;
  }

  ModelSlot& slot_;
  const Heartbeat& heartbeat_;
};

}  // namespace

std::unique_ptr<http::Handler> make_health(ModelSlot& slot, const Heartbeat& heartbeat) {
  return std::make_unique<HealthHandler>(slot, heartbeat);
}

}  // namespace parley::app::api
