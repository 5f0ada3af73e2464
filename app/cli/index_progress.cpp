#include "app/cli/index_progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <iostream>

#include "inference/json/fields.h"
#include "orchestration/tools/clean_output.h"

namespace parley::app::cli {
namespace {

using inference::json::JsonObject;

constexpr std::size_t kUsualWidth = 80;
constexpr std::size_t kBarWidth = 20;

std::size_t terminal_width() {
  winsize size{};
  const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : kUsualWidth;
}

std::int64_t count(const JsonObject& collection, std::string_view name) {
  const JsonObject* counts = inference::json::object_field(collection, "counts");
  return counts == nullptr ? 0 : inference::json::integer_field(*counts, name).value_or(0);
}

std::string bar(std::int64_t done, std::int64_t all) {
  const double share = all > 0 ? static_cast<double>(done) / static_cast<double>(all) : 0;
  const auto full = static_cast<std::size_t>(share * static_cast<double>(kBarWidth));
  return "[" + std::string(full, '#') + std::string(kBarWidth - full, '.') + "] ";
}

std::string time_left(double seconds) {
  const auto whole = static_cast<long>(std::lround(seconds));
  if (whole < 1) return "";
  return whole < 120 ? ", " + std::to_string(whole) + " s left"
                     : ", " + std::to_string(whole / 60) + " min left";
}

std::string in_hand(const JsonObject& collection) {
  const auto* files = inference::json::array_field(collection, "reading");
  if (files == nullptr || files->empty() || !files->front().is_string()) return "";
  return ": " + orchestration::tools::without_controls(std::string(files->front().get_string()));
}

// Not within a character of UTF-8.
std::string cut(std::string text, std::size_t width) {
  if (text.size() <= width) return text;
  while (width > 0 && (static_cast<unsigned char>(text[width]) & 0xc0) == 0x80) --width;
  text.resize(width);
  return text;
}

}  // namespace

std::string progress_text(const JsonObject& collection, std::size_t width) {
  if (inference::json::text_view(collection, "activity") == "walking") {
    const auto seen = inference::json::integer_field(collection, "files_seen").value_or(0);
    return cut("looking through the folder: " + std::to_string(seen) + " files so far", width);
  }
  const std::int64_t all = count(collection, "files");
  const std::int64_t done = all - count(collection, "queued");
  const double rate = inference::json::number_field(collection, "files_per_second").value_or(0);
  std::string text = bar(done, all) + std::to_string(done) + " of " + std::to_string(all) + " files";
  if (rate > 0) text += ", " + std::to_string(std::max(1L, std::lround(rate))) + " a second";
  text += time_left(inference::json::number_field(collection, "seconds_left").value_or(0));
  return cut(text + in_hand(collection), width);
}

std::string vectors_text(const JsonObject& vectors, std::size_t width) {
  const double rate = inference::json::number_field(vectors, "per_second").value_or(0);
  std::string text =
      "reading for meaning: " + std::to_string(inference::json::integer_field(vectors, "done").value_or(0)) +
      " passages done";
  if (rate > 0) text += ", " + std::to_string(std::max(1L, std::lround(rate))) + " a second";
  return cut(text, width);
}

IndexProgress::IndexProgress() : terminal_(::isatty(STDERR_FILENO) == 1) {}

IndexProgress::~IndexProgress() {
  if (terminal_) std::cerr << "\r\033[K" << std::flush;
}

void IndexProgress::draw(const std::string& text) {
  if (terminal_) std::cerr << "\r" << text << "\033[K" << std::flush;
}

void IndexProgress::show(const JsonObject& collection) {
  draw(progress_text(collection, terminal_width() - 1));
}

void IndexProgress::show_vectors(const JsonObject& vectors) {
  draw(vectors_text(vectors, terminal_width() - 1));
}

}  // namespace parley::app::cli
