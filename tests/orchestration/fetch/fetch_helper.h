#pragma once
// What the tests of fetching share: requests with a deadline, to servers of the test.

#include <chrono>
#include <string>

#include "orchestration/fetch/fetch.h"
#include "tests/orchestration/fetch/local_server.h"

namespace parley::orchestration::fetch {

inline std::chrono::steady_clock::time_point in(std::chrono::milliseconds time) {
  return std::chrono::steady_clock::now() + time;
}

// To a URL that nobody vouches for.
inline FetchRequest request_to(std::string url) {
  FetchRequest request;
  request.url = std::move(url);
  request.deadline = in(std::chrono::seconds(20));
  return request;
}

// To a server of the test, whose origin the operator wrote down.
inline FetchRequest request_to(const LocalServer& server, const std::string& path = "/") {
  FetchRequest request = request_to(server.origin() + path);
  request.trusted_origins = {server.origin()};
  return request;
}

inline FetchResponse fetched(const FetchRequest& request) { return make_fetcher()->fetch(request); }

inline LocalServer::Answer always(const std::string& answer) {
  return [answer](Connection& connection, const std::string&) { connection.write(answer); };
}

}  // namespace parley::orchestration::fetch
