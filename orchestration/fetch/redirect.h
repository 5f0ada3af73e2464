#pragma once
// Where a redirect leads, and what may be taken there: the method rules of RFC 9110 and the Fetch standard,
// and our own fences. A plain function, any thread. What is refused is a sentence.

#include <string>
#include <string_view>
#include <vector>

#include "orchestration/fetch/fetch.h"
#include "orchestration/fetch/url.h"

namespace parley::orchestration::fetch {

// One request on its way, of which a fetch makes several when it is redirected.
struct Hop {
  Url url;
  std::string method;
  std::vector<Header> headers;
  std::string_view body;
};

// Turns `hop` into the request that this redirect asks for. Headers stay behind for good when the origin
// changes; a body is not handed to another origin at all, nor anything from https to http. Returns why not,
// or an empty string.
std::string follow_redirect(Hop& hop, int status, std::string_view location);

}  // namespace parley::orchestration::fetch
