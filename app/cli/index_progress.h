#pragma once
// One line on standard error that says how far a collection is, when that is a terminal; silent otherwise.
// One thread; never fails.

#include <string>

#include "inference/json/json.h"

namespace parley::app::cli {

class IndexProgress {
 public:
  IndexProgress();
  ~IndexProgress();  // clears the line
  IndexProgress(const IndexProgress&) = delete;
  IndexProgress& operator=(const IndexProgress&) = delete;

  void show(const inference::json::JsonObject& collection);
  void show_vectors(const inference::json::JsonObject& vectors);

 private:
  void draw(const std::string& text);

  bool terminal_;
};

// "reading 120 of 1004 files, 34 a second, 26 s left: manual/intro.md", at most `width` columns.
std::string progress_text(const inference::json::JsonObject& collection, std::size_t width);
// "reading for meaning: 1200 passages done, 64 a second".
std::string vectors_text(const inference::json::JsonObject& vectors, std::size_t width);

}  // namespace parley::app::cli
