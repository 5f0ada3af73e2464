#include "orchestration/fetch/url.h"

#include <curl/curl.h>

#include <algorithm>
#include <utility>

#include "orchestration/fetch/request_rules.h"

namespace parley::orchestration::fetch {
namespace {

constexpr std::size_t kMaxUrlBytes = 16384;
constexpr std::size_t kMaxShownBytes = 200;

bool has_part(CURLU* url, CURLUPart part) {
  char* text = nullptr;
  const bool found = curl_url_get(url, part, &text, 0) == CURLUE_OK && text != nullptr;
  curl_free(text);
  return found;
}

std::string part_of(CURLU* url, CURLUPart part, unsigned flags = 0) {
  char* text = nullptr;
  if (curl_url_get(url, part, &text, flags) != CURLUE_OK || text == nullptr) return {};
  std::string copy = text;
  curl_free(text);
  return copy;
}

// The sentence goes to models and into transcripts, so all that may be a user name or password is left out:
// what stands before the last @, since where it ends in a URL that cannot be read nobody knows.
std::string shown_url(std::string_view text) {
  std::string shown;
  if (const std::size_t at = text.rfind('@'); at != std::string_view::npos) {
    const std::size_t scheme = text.find("://");
    if (scheme < at) shown = text.substr(0, scheme + 3);
    shown += "\xE2\x80\xA6";
    text.remove_prefix(at);
  }
  return shown.append(text.substr(0, kMaxShownBytes));
}

UrlError bad_url(std::string_view text, const std::string& reason) {
  return UrlError{"The URL \"" + shown_url(text) + "\" is refused: " + reason + "."};
}

}  // namespace

void Url::Cleanup::operator()(Curl_URL* url) const { curl_url_cleanup(url); }

Url::Url(Handle handle) : handle_(std::move(handle)) {
  curl_url_set(handle_.get(), CURLUPART_FRAGMENT, nullptr, 0);
  text_ = part_of(handle_.get(), CURLUPART_URL);
  host_ = lower_case(part_of(handle_.get(), CURLUPART_HOST));
  const std::string port = part_of(handle_.get(), CURLUPART_PORT, CURLU_NO_DEFAULT_PORT);
  origin_ = part_of(handle_.get(), CURLUPART_SCHEME) + "://" + host_ + (port.empty() ? "" : ":" + port);
}

ParsedUrl Url::parse(std::string_view text) { return set_and_check(Handle(curl_url()), text); }

ParsedUrl Url::resolve(std::string_view location) const {
  return set_and_check(Handle(curl_url_dup(handle_.get())), location);
}

bool Url::is_https() const { return origin_.starts_with("https:"); }

ParsedUrl Url::set_and_check(Handle handle, std::string_view text) {
  if (text.size() > kMaxUrlBytes) {
    return bad_url(text, "it is longer than " + std::to_string(kMaxUrlBytes) + " bytes");
  }
  if (std::any_of(text.begin(), text.end(), [](unsigned char c) { return c <= ' ' || c == 0x7f; })) {
    return bad_url(text, "it holds a space or a control character");
  }
  const CURLUcode code = curl_url_set(handle.get(), CURLUPART_URL, std::string(text).c_str(), 0);
  if (code == CURLUE_UNSUPPORTED_SCHEME) return bad_url(text, "only http and https are possible");
  if (code != CURLUE_OK) return bad_url(text, curl_url_strerror(code));
  if (const std::string reason = refusal(handle.get()); !reason.empty()) return bad_url(text, reason);
  return Url(std::move(handle));
}

std::string Url::refusal(Curl_URL* handle) {
  const std::string scheme = part_of(handle, CURLUPART_SCHEME);
  if (scheme != "http" && scheme != "https") return "only http and https are possible";
  if (has_part(handle, CURLUPART_USER) || has_part(handle, CURLUPART_PASSWORD)) {
    return "it holds a user name or password, which belong into a header";
  }
  if (has_part(handle, CURLUPART_ZONEID)) return "it names a network interface";
  if (part_of(handle, CURLUPART_HOST).empty()) return "it names no host";
  return {};
}

}  // namespace parley::orchestration::fetch
