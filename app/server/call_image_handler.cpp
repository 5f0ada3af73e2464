#include "app/server/call_image_handler.h"

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "app/api/api_error.h"
#include "orchestration/tools/picture.h"
#include "orchestration/turn/uuid.h"

namespace parley::app::server {
namespace {

namespace asio = boost::asio;
namespace turn = orchestration::turn;
using Image = std::optional<orchestration::calls::CallImage>;

constexpr std::string_view kFront = "/calls/";
constexpr std::string_view kMiddle = "/images/";
constexpr std::size_t kUuidBytes = 36;
constexpr std::size_t kMaxDigits = 4;

struct Place {
  std::string call;
  std::size_t number = 0;
};

std::optional<Place> place_of(std::string_view path) {
  if (!path.starts_with(kFront)) return std::nullopt;
  path.remove_prefix(kFront.size());
  Place place;
  place.call = path.substr(0, kUuidBytes);
  path.remove_prefix(place.call.size());
  if (!turn::is_uuid(place.call) || !path.starts_with(kMiddle)) return std::nullopt;
  path.remove_prefix(kMiddle.size());
  const auto [end, error] = std::from_chars(path.data(), path.data() + path.size(), place.number);
  const bool whole = error == std::errc() && end == path.data() + path.size() && path.size() <= kMaxDigits;
  return whole ? std::optional(place) : std::nullopt;
}

http::Response response_of(Image image) {
  const bool is_shown = image && orchestration::tools::is_picture_type(image->media_type);
  if (!is_shown) return api::error_response(api::error_of(http::Refusal{404, "There is no such image.", {}}));
  http::Response response;
  response.content_type = image->media_type;
  response.fields.push_back({"Cache-Control", "private, max-age=31536000, immutable"});
  // Beside the policy that every response has: a browser keeps to both.
  response.fields.push_back({"Content-Security-Policy", "sandbox"});
  response.body = std::move(image->bytes);
  return response;
}

class CallImageHandler : public http::Handler {
 public:
  explicit CallImageHandler(turn::ConversationHub& hub) : hub_(hub) {}

  asio::awaitable<void> handle(http::Exchange& exchange) override {
    const std::optional<Place> place = place_of(exchange.request().head.path);
    Image image;
    if (place) image = co_await hub_.read_image(place->call, place->number);
    http::Response response = response_of(std::move(image));
    co_await exchange.respond(std::move(response));
  }

 private:
  turn::ConversationHub& hub_;
};

}  // namespace

std::unique_ptr<http::Handler> make_call_image_handler(turn::ConversationHub& hub) {
  return std::make_unique<CallImageHandler>(hub);
}

}  // namespace parley::app::server
