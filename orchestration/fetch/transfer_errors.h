#pragma once
// libcurl's error codes as sentences that say what happened, where, and what can be done. A plain function,
// any thread; never fails.

#include <string>
#include <string_view>

#include "orchestration/fetch/url.h"

namespace parley::orchestration::fetch {

// `code` is a CURLcode, `detail` libcurl's own words (may be empty).
std::string transfer_error(int code, std::string_view detail, const Url& url);

}  // namespace parley::orchestration::fetch
