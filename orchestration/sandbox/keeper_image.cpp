#include "orchestration/sandbox/keeper_image.h"

// Named by the linker after the file.
extern "C" const char kKeeperStart[] asm("_binary_parley_keeper_start");
extern "C" const char kKeeperEnd[] asm("_binary_parley_keeper_end");

namespace parley::orchestration::sandbox {

std::string_view keeper_image() { return {kKeeperStart, kKeeperEnd}; }

Descriptor keeper_file() { return memory_file("parley-keeper", keeper_image()); }

}  // namespace parley::orchestration::sandbox
