#pragma once
// What a file's name says about its content. Plain functions, any thread; never fails.

#include <string_view>

namespace parley::app::assets {

// The media type for a Content-Type field; "application/octet-stream" when the ending is not known.
std::string_view content_type(std::string_view path);

// Whether the name holds a hash of the content, as the UI's build makes them (assets/index-B4x_9Qzk.js), so
// that the file never changes under that name.
bool has_hashed_name(std::string_view path);

}  // namespace parley::app::assets
