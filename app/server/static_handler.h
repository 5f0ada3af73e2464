#pragma once
// GET of the browser UI's files: types, caching, compression. Lives on the I/O thread; a file that
// is not there is a 404.

#include <memory>

#include "app/http/exchange.h"
#include "app/server/static_files.h"

namespace parley::app::server {

std::unique_ptr<http::Handler> make_static_handler(std::unique_ptr<StaticFiles> files);

}  // namespace parley::app::server
