#pragma once
// What a tool's result may hold of pictures. Plain functions, any thread; never fails.

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace parley::orchestration::tools {

inline constexpr std::size_t kMaxPictures = 8;  // of a result
inline constexpr std::size_t kMaxPictureBytes = std::size_t{8} << 20;

// What browsers show and never run: no SVG.
inline bool is_picture_type(std::string_view media_type) {
  constexpr std::array<std::string_view, 4> kTypes = {"image/png", "image/jpeg", "image/gif", "image/webp"};
  return std::find(kTypes.begin(), kTypes.end(), media_type) != kTypes.end();
}

}  // namespace parley::orchestration::tools
