#include "orchestration/tools/background_readings.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace parley::orchestration::tools {

void BackgroundReadings::replace(std::vector<Wanted> wanted) {
  for (const Kept& old : kept_) old.reading->request_stop();  // all at once, before the first is waited for
  std::vector<Kept> next;
  for (Wanted& one : wanted) {
    const auto same = std::find_if(kept_.begin(), kept_.end(),
                                   [&](const Kept& old) { return old.fingerprint == one.fingerprint; });
    const bool has_before = same != kept_.end() && (same->has_before || !same->reading->is_first());
    BackgroundReading::Parts parts{.place = std::move(one.place),
                                   .read = std::move(one.read),
                                   .pause = pause_,
                                   .on_change = [version = version_] { ++*version; }};
    auto reading = std::make_unique<BackgroundReading>(std::move(parts),
                                                       has_before ? same->reading->found() : ReadTools());
    next.push_back({std::move(one.fingerprint), one.shown, has_before, std::move(reading)});
  }
  kept_ = std::move(next);
  ++*version_;
}

void BackgroundReadings::add_to(ToolOffer& offer) const {
  for (const Kept& kept : kept_) {
    const bool is_starting = !kept.has_before && kept.reading->is_first();
    if (is_starting && kept.shown == Shown::when_it_starts) offer.starting.push_back(kept.reading->place());
    ReadTools found = kept.reading->found();
    std::move(found.tools.begin(), found.tools.end(), std::back_inserter(offer.tools));
    std::move(found.issues.begin(), found.issues.end(), std::back_inserter(offer.issues));
  }
}

}  // namespace parley::orchestration::tools
