#include "app/server/static_handler.h"

#include <utility>

#include "app/assets/content_type.h"
#include "app/http/percent.h"

namespace parley::app::server {
namespace {

namespace asio = boost::asio;

constexpr std::string_view kIndex = "/index.html";

// The UI has addresses of its own, which are no files: it is the page for all of them.
bool is_address_of_ui(std::string_view path) {
  return path.find('.', path.rfind('/')) == std::string_view::npos;
}

http::Response not_found() {
  http::Response response;
  response.status = 404;
  response.content_type = "text/plain; charset=utf-8";
  response.fields.push_back({"Cache-Control", "no-store"});
  response.body = "There is no such page. Go to / for the chats.\n";
  return response;
}

class StaticHandler : public http::Handler {
 public:
  explicit StaticHandler(std::unique_ptr<StaticFiles> files) : files_(std::move(files)) {}

  asio::awaitable<void> handle(http::Exchange& exchange) override {
    auto response = co_await answer(exchange.request().head);
    co_await exchange.respond(std::move(response));
  }

 private:
  asio::awaitable<http::Response> answer(const http::RequestHead& head) const {
    const auto decoded = http::decode_percent(head.path);
    if (!decoded) co_return not_found();
    std::string path = *decoded == "/" ? std::string(kIndex) : *decoded;
    auto file = co_await files_->find(path);
    if (!file && is_address_of_ui(path)) {
      path = kIndex;
      file = co_await files_->find(path);
    }
    if (!file) co_return not_found();
    co_return response_of(head, path, std::move(*file));
  }

  static http::Response response_of(const http::RequestHead& head, const std::string& path, StaticFile file) {
    const std::string* accepted = head.find("Accept-Encoding");
    const bool packed = !file.gzip.empty() && accepted != nullptr && http::has_token(*accepted, "gzip");
    const std::string tag = '"' + file.hash + (packed ? "-gz\"" : "\"");
    http::Response response;
    response.content_type = assets::content_type(path);
    const bool lasting = assets::has_hashed_name(path);
    response.fields.push_back(
        {"Cache-Control", lasting ? "public, max-age=31536000, immutable" : "no-cache"});
    response.fields.push_back({"ETag", tag});
    response.fields.push_back({"Vary", "Accept-Encoding"});
    const std::string* known = head.find("If-None-Match");
    if (known != nullptr && http::has_token(*known, tag)) {
      response.status = 304;
      return response;
    }
    if (packed) response.fields.push_back({"Content-Encoding", "gzip"});
    response.body = packed ? std::move(file.gzip) : std::move(file.bytes);
    return response;
  }

  std::unique_ptr<StaticFiles> files_;
};

}  // namespace

std::unique_ptr<http::Handler> make_static_handler(std::unique_ptr<StaticFiles> files) {
  return std::make_unique<StaticHandler>(std::move(files));
}

}  // namespace parley::app::server
