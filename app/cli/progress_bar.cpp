#include "app/cli/progress_bar.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace parley::app::cli {

ProgressBar::ProgressBar(std::string what)
    : what_(std::move(what)), terminal_(::isatty(STDERR_FILENO) == 1) {}

ProgressBar::~ProgressBar() {
  if (terminal_ && percent_ >= 0) std::fputs("\r\033[K", stderr);
}

void ProgressBar::show(double share) {
  const int percent = static_cast<int>(std::clamp(share, 0.0, 1.0) * 100.0);
  if (!terminal_ || percent == percent_) return;
  percent_ = percent;
  const std::string bar(static_cast<std::size_t>(percent * 30 / 100), '#');
  std::fprintf(stderr, "\r%s [%-30s] %d%%", what_.c_str(), bar.c_str(), percent);
  std::fflush(stderr);
}

}  // namespace parley::app::cli
