#pragma once
// How reading a template fails: always with a TemplateError. Any thread.

#include <cstddef>
#include <string_view>

#include "orchestration/jinja/source_place.h"
#include "orchestration/jinja/template.h"

namespace parley::orchestration::jinja {

[[noreturn]] inline void throw_at(std::string_view source, std::size_t offset, std::string_view message) {
  throw TemplateError(located_message(source, offset, message));
}

}  // namespace parley::orchestration::jinja
