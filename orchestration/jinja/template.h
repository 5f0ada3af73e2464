#pragma once
// Chat templates in the Jinja language, as Hugging Face transformers runs them (trim_blocks, lstrip_blocks,
// loop controls, lenient undefined). Templates come from model files and are hostile input: they have no
// access to the host, and steps, depth, output size, memory and time are limited. A Template is immutable
// after parsing, any thread; a render is confined to the calling thread.

#include <chrono>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "orchestration/jinja/value.h"

namespace parley::orchestration::jinja {

// Text of an error names line and column and shows the offending snippet; text of raise_exception is kept
// whole.
class TemplateError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The template needed more steps, memory, output or time than its limits allow; it may need as much the next
// time.
class TemplateLimitError : public TemplateError {
 public:
  using TemplateError::TemplateError;
};

// Steps are the bound that counts, and the same on every machine: a million of them are some tenths of a
// second. Time is there for what steps measure badly. It is the processor's time of the thread, so that a
// machine that is busy with other things, or swaps, does not use it up.
struct RenderLimits {
  std::size_t max_steps = 1'000'000;
  std::size_t max_depth = 64;
  std::size_t max_range = 100'000;
  std::size_t max_output_bytes = 64u << 20;
  std::size_t max_memory_bytes = 128u << 20;  // of all values the template makes
  std::chrono::milliseconds max_time{10'000};
};

struct Rendered {
  std::string text;
  std::vector<OriginRun> runs;  // ascending, covering the text without gaps
};

class Template {
 public:
  virtual ~Template() = default;
  // `context` is a dict of the names the template may use. Throws TemplateError, also a TemplateLimitError.
  virtual Rendered render(const Value& context, const RenderLimits& limits) const = 0;
};

// Throws TemplateError when the source does not parse.
std::unique_ptr<Template> parse_template(std::string_view source);

}  // namespace parley::orchestration::jinja
