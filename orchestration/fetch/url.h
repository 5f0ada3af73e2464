#pragma once
// A URL as libcurl itself reads it: the object that is checked is the one that is connected with, so that no
// two parsers can disagree. Only http and https, without user names and zone ids. Move-only, immutable; any
// thread. A bad URL is a sentence.

#include <memory>
#include <string>
#include <string_view>
#include <variant>

struct Curl_URL;  // libcurl's CURLU

namespace parley::orchestration::fetch {

class Url;

struct UrlError {
  std::string sentence;
};

using ParsedUrl = std::variant<Url, UrlError>;

class Url {
 public:
  static ParsedUrl parse(std::string_view text);

  // `location` as a redirect from here names it, absolute or relative.
  ParsedUrl resolve(std::string_view location) const;

  const std::string& text() const { return text_; }      // whole, without fragment
  const std::string& origin() const { return origin_; }  // "https://example.com", "http://127.0.0.1:9000"
  const std::string& host() const { return host_; }
  bool is_https() const;
  Curl_URL* handle() const { return handle_.get(); }

 private:
  struct Cleanup {
    void operator()(Curl_URL* url) const;
  };
  using Handle = std::unique_ptr<Curl_URL, Cleanup>;

  explicit Url(Handle handle);
  static ParsedUrl set_and_check(Handle handle, std::string_view text);
  static std::string refusal(Curl_URL* handle);

  Handle handle_;
  std::string text_;
  std::string origin_;
  std::string host_;
};

}  // namespace parley::orchestration::fetch
