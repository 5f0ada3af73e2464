#pragma once
// What a part of a template writes, kept from the output around it. On the render's thread, never fails.

#include "orchestration/jinja/interpreter.h"

namespace parley::orchestration::jinja {

// While it lives, output goes to its builder.
class Capture {
 public:
  explicit Capture(Interpreter& interpreter) : interpreter_(interpreter), before_(interpreter.output_) {
    interpreter_.output_ = &builder_;
    ++interpreter_.num_captures_;
  }
  ~Capture() {
    interpreter_.output_ = before_;
    --interpreter_.num_captures_;
  }
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;

  TextBuilder& builder() { return builder_; }

 private:
  Interpreter& interpreter_;
  TextBuilder* before_;
  TextBuilder builder_;
};

}  // namespace parley::orchestration::jinja
