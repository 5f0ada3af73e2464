#pragma once
// The readings that one source of tools has under way: begun anew with each tools file, and shown as they
// were until then. One thread at a time (the registry's); what fails is among the issues of the readings.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "orchestration/tools/background_reading.h"
#include "orchestration/tools/tool_source.h"

namespace parley::orchestration::tools {

class BackgroundReadings {
 public:
  enum class Shown : bool { when_it_starts, never };

  struct Wanted {
    std::string place;
    std::string fingerprint;  // of all that decides what is read; equal ones have the same tools
    std::function<ReadTools(const std::stop_token&)> read;
    Shown shown = Shown::when_it_starts;  // among the offer's `starting`, until it has been read once
  };

  explicit BackgroundReadings(std::chrono::milliseconds pause) : pause_(pause) {}

  // What is not wanted any more is stopped, which takes as long as it takes to end a program.
  void replace(std::vector<Wanted> wanted);

  // Rises with each change, and with replace().
  std::uint64_t version() const { return *version_; }
  // Appends what was found, in the order of `wanted`.
  void add_to(ToolOffer& offer) const;

 private:
  struct Kept {
    std::string fingerprint;
    Shown shown;
    bool has_before;
    std::unique_ptr<BackgroundReading> reading;
  };

  const std::chrono::milliseconds pause_;
  // Shared with the readings' threads.
  const std::shared_ptr<std::atomic<std::uint64_t>> version_ =
      std::make_shared<std::atomic<std::uint64_t>>(0);
  std::vector<Kept> kept_;
};

}  // namespace parley::orchestration::tools
