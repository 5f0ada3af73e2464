#pragma once
// Who wrote which bytes of a prompt. Constants and pure functions, any thread.

#include <cstddef>

#include "orchestration/jinja/text.h"

namespace parley::orchestration::prompt {

// Origin of all that message number `index` brings into a rendering.
constexpr jinja::Origin origin_of_message(std::size_t index) { return static_cast<jinja::Origin>(index + 1); }
inline constexpr jinja::Origin kToolsOrigin = 0xffff'ffff;

}  // namespace parley::orchestration::prompt
