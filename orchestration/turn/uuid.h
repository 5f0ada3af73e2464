#pragma once
// Random identifiers (RFC 9562, version 4), lower case. Any thread. Throws when the system has no
// randomness.

#include <string>
#include <string_view>

namespace parley::orchestration::turn {

std::string make_uuid();

// Of any version, lower case, 8-4-4-4-12 hexadecimal digits.
bool is_uuid(std::string_view text);

}  // namespace parley::orchestration::turn
