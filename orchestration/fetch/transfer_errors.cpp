#include "orchestration/fetch/transfer_errors.h"

#include <curl/curl.h>

namespace parley::orchestration::fetch {

std::string transfer_error(int code, std::string_view detail, const Url& url) {
  const std::string& origin = url.origin();
  const std::string reason(detail.empty() ? curl_easy_strerror(static_cast<CURLcode>(code)) : detail);
  switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
      return "The host " + url.host() + " could not be found (DNS).";
    case CURLE_COULDNT_CONNECT:
      return origin + " could not be reached: " + reason + ".";
    case CURLE_PEER_FAILED_VERIFICATION:
      return "The certificate of " + origin + " could not be verified: " + reason +
             ". If the server is your own, add its certificate to those that this system trusts.";
    case CURLE_SSL_CONNECT_ERROR:
      return "No encrypted connection to " + origin + " could be made: " + reason + ".";
    case CURLE_GOT_NOTHING:
      return origin + " closed the connection without an answer.";
    case CURLE_PARTIAL_FILE:
    case CURLE_RECV_ERROR:
      return origin + " broke off before its answer was complete: " + reason + ".";
    case CURLE_BAD_CONTENT_ENCODING:
      return "The answer of " + origin + " could not be decompressed.";
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_WEIRD_SERVER_REPLY:
      return "The answer of " + origin + " is not valid HTTP: " + reason + ".";
    default:
      return "The request to " + origin + " failed: " + reason + ".";
  }
}

}  // namespace parley::orchestration::fetch
