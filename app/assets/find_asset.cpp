#include <algorithm>

#include "app/assets/assets.h"

namespace parley::app::assets {

const Asset* find_asset(std::string_view path) {
  const auto all = embedded_assets();
  const auto at =
      std::lower_bound(all.begin(), all.end(), path,
                       [](const Asset& asset, std::string_view wanted) { return asset.path < wanted; });
  return at != all.end() && at->path == path ? &*at : nullptr;
}

}  // namespace parley::app::assets
