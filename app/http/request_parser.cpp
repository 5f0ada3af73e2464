#include "app/http/request_parser.h"

#include <utility>

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/system/error_code.hpp>

#include "app/http/head_check.h"

namespace parley::app::http {
namespace {

namespace beast_http = boost::beast::http;
using boost::system::error_code;

constexpr std::uint32_t kHeadSlack = 4096;  // our own limits act first

Refusal too_large(std::size_t max_bytes) {
  return Refusal{
      413,
      "The request's body is larger than the " + std::to_string(max_bytes) + " bytes that are taken here.",
      {}};
}

Refusal malformed(const error_code& error) {
  return Refusal{400, "The request is not valid HTTP/1.1: " + error.message() + ".", {}};
}

class BeastRequestParser : public RequestParser {
 public:
  explicit BeastRequestParser(const HttpLimits& limits) : limits_(limits), max_body_(limits.max_body) {
    parser_.header_limit(static_cast<std::uint32_t>(limits.max_head) + kHeadSlack);
    parser_.body_limit(limits.max_body);
    parser_.eager(true);
  }

  std::optional<Refusal> parse_head(std::string_view text) override {
    if (auto refusal = check_head_text(text)) return refusal;
    error_code error;
    const std::size_t used = parser_.put(boost::asio::buffer(text.data(), text.size()), error);
    if (error == beast_http::error::body_limit) return too_large(limits_.max_body);
    if (error && error != beast_http::error::need_more) return malformed(error);
    if (used != text.size() || !parser_.is_header_done()) {
      return Refusal{400, "The request's head is not valid HTTP/1.1.", {}};
    }
    copy_head();
    return check_fields(head_);
  }

  const RequestHead& head() const override { return head_; }

  std::optional<Refusal> limit_body(std::size_t max_bytes) override {
    max_body_ = max_bytes;
    parser_.body_limit(max_bytes);
    const auto announced = parser_.content_length();
    if (announced && *announced > max_bytes) return too_large(max_bytes);
    return std::nullopt;
  }

  std::variant<std::size_t, Refusal> feed(std::string_view bytes) override {
    error_code error;
    const std::size_t used = parser_.put(boost::asio::buffer(bytes.data(), bytes.size()), error);
    if (error == beast_http::error::body_limit || parser_.get().body().size() > max_body_)
      return too_large(max_body_);
    if (error && error != beast_http::error::need_more) return malformed(error);
    // What stays unused is an unfinished chunk head or trailer; Beast 1.81 sets no bound for those.
    if (!done() && bytes.size() - used > limits_.max_request_line) {
      return Refusal{400, "The head of a chunk, or the trailer, is too long.", {}};
    }
    return used;
  }

  bool done() const override { return parser_.is_done(); }
  std::string take_body() override { return std::move(parser_.get().body()); }

 private:
  void copy_head() {
    const auto& message = parser_.get();
    const auto method = message.method_string();
    const auto target = message.target();
    head_.method.assign(method.data(), method.size());
    head_.target.assign(target.data(), target.size());
    head_.path = head_.target.substr(0, head_.target.find('?'));
    head_.http_1_0 = message.version() == 10;
    for (const auto& field : message) {
      const auto name = field.name_string();
      const auto value = field.value();
      head_.fields.push_back(Field{{name.data(), name.size()}, {value.data(), value.size()}});
    }
  }

  HttpLimits limits_;
  std::size_t max_body_;
  beast_http::request_parser<beast_http::string_body> parser_;
  RequestHead head_;
};

}  // namespace

std::unique_ptr<RequestParser> make_request_parser(const HttpLimits& limits) {
  return std::make_unique<BeastRequestParser>(limits);
}

}  // namespace parley::app::http
