#pragma once
// Cuts a stream of bytes into lines, with a bound on what is kept of an unfinished one. One thread.

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace parley::orchestration::sandbox {

class LineSplitter {
 public:
  // What becomes of a line longer than `max_line`; of one that is cut only the first so many bytes are told,
  // at once.
  enum class LongLine { refuse, cut };

  LineSplitter(std::size_t max_line, LongLine long_line) : max_line_(max_line), long_line_(long_line) {}

  // Calls `on_line` for each finished line, without its newline (nor a carriage return before it). False: a
  // line was longer than allowed and is refused; nothing more is taken.
  bool append(std::string_view bytes, const std::function<void(std::string_view)>& on_line);
  // The last line, when it did not end with a newline.
  void finish(const std::function<void(std::string_view)>& on_line);

 private:
  bool keep(std::string_view part, const std::function<void(std::string_view)>& on_line);

  std::size_t max_line_;
  LongLine long_line_;
  std::string unfinished_;
  bool is_told_ = false;  // the line that has not ended was cut
  bool refused_ = false;
};

}  // namespace parley::orchestration::sandbox
