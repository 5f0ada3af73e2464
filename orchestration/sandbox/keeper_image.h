#pragma once
// The keeper's program file, embedded when Parley was linked (see CMakeLists.txt). Immutable.

#include <string_view>

#include "orchestration/sandbox/descriptor.h"

namespace parley::orchestration::sandbox {

std::string_view keeper_image();

// As a file in memory that can be executed. Not open: errno says why.
Descriptor keeper_file();

}  // namespace parley::orchestration::sandbox
