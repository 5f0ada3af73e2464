#pragma once
// A frame to its text. Always valid JSON and UTF-8. A plain function, any thread; never fails.

#include <string>
#include <string_view>

#include "app/protocol/frames.h"

namespace parley::app::protocol {

std::string write_frame(const ServerFrame& frame);

std::string_view error_code_name(ErrorCode code);

}  // namespace parley::app::protocol
