#pragma once
// What StaticFiles finds, for tests without a running server.

#include <exception>
#include <optional>
#include <string>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include "app/server/static_files.h"

namespace parley::app::server {

inline std::optional<StaticFile> found_in(const StaticFiles& files, const std::string& path) {
  boost::asio::io_context io;
  std::optional<StaticFile> found;
  auto ended = [&found](const std::exception_ptr& failure, std::optional<StaticFile> file) {
    if (failure) std::rethrow_exception(failure);
    found = std::move(file);
  };
  boost::asio::co_spawn(io, files.find(path), ended);
  io.run();
  return found;
}

}  // namespace parley::app::server
