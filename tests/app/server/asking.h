#pragma once
// One request from outside, on a connection of its own.

#include <cstdint>
#include <string>
#include <string_view>

#include "tests/fakes/raw_client.h"

namespace parley::app::server {

inline constexpr std::string_view kJson = "Content-Type: application/json\r\n";

inline tests::fakes::HttpAnswer ask(std::uint16_t port, std::string_view method, std::string_view target,
                                    std::string_view fields = {}, std::string_view body = {}) {
  tests::fakes::RawClient client(port);
  client.send(tests::fakes::make_request(method, target, port, fields, body));
  return client.read_answer(method == "HEAD");
}

inline bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace parley::app::server
