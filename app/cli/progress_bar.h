#pragma once
// A bar on standard error for long work, when that is a terminal; silent otherwise. One thread; never fails.

#include <string>

namespace parley::app::cli {

class ProgressBar {
 public:
  explicit ProgressBar(std::string what);
  ~ProgressBar();  // clears the line
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void show(double share);  // 0 to 1; draws only when a percent changed

 private:
  std::string what_;
  bool terminal_;
  int percent_ = -1;
};

}  // namespace parley::app::cli
