#include "orchestration/sandbox/keeper_image.h"

// Named by the linker after the file.
extern "C" const char _binary_parley_keeper_start[];
extern "C" const char _binary_parley_keeper_end[];

namespace parley::orchestration::sandbox {

std::string_view keeper_image() { return {_binary_parley_keeper_start, _binary_parley_keeper_end}; }

Descriptor keeper_file() { return memory_file("parley-keeper", keeper_image()); }

}  // namespace parley::orchestration::sandbox
