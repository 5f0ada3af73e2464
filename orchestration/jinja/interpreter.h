#pragma once
// State of one render: limits, variables, output, and everything the template has made. Confined to one
// thread. Every failure is a TemplateError that names the place last set with at().

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "orchestration/jinja/object.h"
#include "orchestration/jinja/scopes.h"
#include "orchestration/jinja/template.h"
#include "orchestration/jinja/text.h"
#include "orchestration/jinja/value.h"

namespace parley::orchestration::jinja {

class Interpreter {
 public:
  // `source` and `limits` must outlive the interpreter.
  Interpreter(std::string_view source, const RenderLimits& limits, ValueList globals);
  ~Interpreter();
  Interpreter(const Interpreter&) = delete;
  Interpreter& operator=(const Interpreter&) = delete;

  void at(std::uint32_t offset) { offset_ = offset; }
  [[noreturn]] void fail(const std::string& message) const;
  [[noreturn]] void refuse(std::string_view message) const;  // the template's own raise_exception

  const RenderLimits& limits() const { return limits_; }
  void step();                       // one more piece of work
  void work(std::size_t num_bytes);  // a small piece of work that looks at so many bytes
  // New memory, and the work of filling it: so many bytes, or items of that size.
  void charge(std::size_t num_bytes);
  void charge(std::size_t num_items, std::size_t item_bytes);
  void charge_items(std::size_t num_items) { charge(num_items, sizeof(Value)); }
  void charge_copy(const Text& text) { charge(text.copy_bytes()); }
  void charge_entry(const Value& key);  // of a dict, which keeps a copy of a key that is text

  Scopes& scopes() { return scopes_; }

  // Values made by the template; they are kept until the render ends, and freed without recursion.
  Value make_list(ValueList items, Sequence sequence = Sequence::list);
  Value make_dict(Dict dict);
  Value make_object(std::shared_ptr<Object> object);
  // A copy that lasts until the render ends.
  std::string_view intern(std::string_view name);

  void write(const Text& text);

 private:
  friend class Capture;
  friend class Nesting;
  friend class CallDepth;

  [[noreturn]] void exceed(const std::string& message) const;
  void look_at_clock();

  std::string_view source_;
  const RenderLimits& limits_;
  std::uint32_t offset_ = 0;
  std::size_t work_ = 0;  // in bytes looked at; a step counts as kBytesPerStep
  std::size_t next_look_ = 0;
  std::chrono::nanoseconds begun_;  // in time of this thread
  std::size_t bytes_ = 0;           // of memory, ever
  std::size_t nesting_ = 0;
  std::size_t call_depth_ = 0;
  std::set<std::string, std::less<>> interned_;
  std::vector<std::shared_ptr<List>> lists_;
  std::vector<std::shared_ptr<Dict>> dicts_;
  std::vector<std::shared_ptr<Object>> objects_;
  Scopes scopes_;
  TextBuilder* output_ = nullptr;
  std::size_t num_captures_ = 0;
};

// Bounds the native stack: one for each level of evaluation.
class Nesting {
 public:
  explicit Nesting(Interpreter& interpreter);
  ~Nesting() { --interpreter_.nesting_; }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;

 private:
  Interpreter& interpreter_;
};

// Bounds calls of macros within macros.
class CallDepth {
 public:
  explicit CallDepth(Interpreter& interpreter);
  ~CallDepth() { --interpreter_.call_depth_; }
  CallDepth(const CallDepth&) = delete;
  CallDepth& operator=(const CallDepth&) = delete;

 private:
  Interpreter& interpreter_;
};

}  // namespace parley::orchestration::jinja
