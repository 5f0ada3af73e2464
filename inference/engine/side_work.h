#pragma once
// Work that shares the engine's compute threads: it runs on the engine thread between steps, so that it never
// competes with them for cores (embedding of documents).

#include <chrono>
#include <functional>

namespace parley::inference::engine {

class SideWork {
 public:
  // How long a slice may last while requests are running, and while none is.
  static constexpr std::chrono::milliseconds kSliceBesideRequests{20};
  static constexpr std::chrono::milliseconds kSliceAlone{50};

  virtual ~SideWork() = default;

  // Before the first `run`: the engine's thread is there. `wake` may be called from any thread until `detach`
  // has returned, and lets an idle engine ask for work.
  virtual void attach(std::function<void()> wake) = 0;
  // Engine thread. Works for about `slice` at most and returns whether more is left. Must not throw.
  virtual bool run(std::chrono::milliseconds slice) noexcept = 0;
  // The engine ends: nobody calls `run` any more.
  virtual void detach() = 0;
};

}  // namespace parley::inference::engine
