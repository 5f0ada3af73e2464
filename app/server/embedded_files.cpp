#include "app/assets/assets.h"
#include "app/server/static_files.h"

namespace parley::app::server {
namespace {

class EmbeddedFiles : public StaticFiles {
 public:
  boost::asio::awaitable<std::optional<StaticFile>> find(std::string path) const override {
    const assets::Asset* asset = assets::find_asset(path);
    if (asset == nullptr) co_return std::nullopt;
    StaticFile file;
    file.bytes = asset->bytes;
    file.gzip = asset->gzip;
    file.hash = asset->hash;
    co_return file;
  }
};

}  // namespace

std::unique_ptr<StaticFiles> make_embedded_files() { return std::make_unique<EmbeddedFiles>(); }

}  // namespace parley::app::server
