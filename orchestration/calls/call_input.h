#pragma once
// What has arrived of a model's output and is not decided on yet, and comparing it with markers. A comparison
// says `partial` while more input could still change the answer, so that decisions never depend on how the
// output was split. Belongs to one parser, used by one thread. Never fails but for memory.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "orchestration/calls/call_format.h"

namespace parley::orchestration::calls {

// `ended`: nothing follows `text`.
struct Ahead {
  std::string_view text;
  bool ended = false;

  Ahead from(std::size_t offset) const { return {text.substr(offset), ended}; }
};

inline constexpr std::size_t kMaxReread = std::size_t{1} << 20;

class CallInput {
 public:
  void append(std::string_view bytes);
  void end() { ended_ = true; }

  // Views are valid until the next append.
  Ahead ahead() const {
    ++num_looks_;
    return {std::string_view(bytes_).substr(begin_), ended_};
  }
  std::string_view text() const { return ahead().text; }
  bool ended() const { return ended_; }

  void take(std::size_t count) { begin_ += count; }
  void take_space();

  // What is doubtful is looked at ahead, and read again where the guess was wrong: so many bytes of an output
  // in all, which keeps reading linear.
  bool may_reread(std::size_t count) const { return count <= reread_left_; }
  void note_reread(std::size_t count) { reread_left_ -= std::min(count, reread_left_); }

  // How often somebody looked: what reading costs.
  std::size_t num_looks() const { return num_looks_; }

 private:
  std::string bytes_;
  std::size_t begin_ = 0;
  bool ended_ = false;
  std::size_t reread_left_ = kMaxReread;
  mutable std::size_t num_looks_ = 0;
};

enum class Match : std::uint8_t { no, partial, yes };

struct Found {
  Match match = Match::no;
  std::size_t length = 0;  // of the text up to the end of what was found
};

// Between markers at most this much white space is looked past, which bounds what a comparison costs.
inline constexpr std::size_t kMaxSpace = 64;

inline constexpr std::string_view kCodeFence = "```";

bool is_space(char byte);
std::size_t space_length(std::string_view text);  // at most kMaxSpace + 1

// The longest of the markers that stands at the beginning of the text.
Found match_marker(Ahead ahead, const Markers& markers);
Found match_text(Ahead ahead, std::string_view marker);

// The same after optional white space.
Found match_after_space(Ahead ahead, const Markers& markers);

// Nothing but white space up to the end.
Match match_end(Ahead ahead);

// The first `yes`, else `partial` if any may still become one.
Found first_of(Found a, Found b);

}  // namespace parley::orchestration::calls
