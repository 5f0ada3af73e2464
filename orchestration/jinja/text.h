#pragma once
// Text that remembers who wrote each byte. Substrings share storage, and appending to the newest end of a
// text does too, so cutting and accumulating long texts is cheap. Texts made with the public constructor are
// frozen and may be read by any thread; texts made by a TextBuilder or by concatenate() stay on the thread of
// their render. A view is valid until the next concatenate(). Never fails.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace parley::orchestration::jinja {

// Who wrote a byte: 0 is the template itself, anything else a number that the caller gave to a piece of data.
using Origin = std::uint32_t;
inline constexpr Origin kTemplateOrigin = 0;

// Bytes [begin, end) of a text that share an origin.
struct OriginRun {
  std::size_t begin = 0;
  std::size_t end = 0;
  Origin origin = kTemplateOrigin;
  bool operator==(const OriginRun&) const = default;
};

class Text {
 public:
  Text() = default;
  Text(std::string bytes, Origin origin);

  std::string_view view() const;
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  // Pieces of one origin.
  std::size_t num_runs() const;
  // What a copy takes.
  std::size_t copy_bytes() const { return size_ + num_runs() * sizeof(OriginRun); }

  // Bytes [begin, end); requires begin <= end <= size().
  Text substring(std::size_t begin, std::size_t end) const;

  // visit(bytes, origin) for each run, in order.
  template <typename Visit>
  void for_each_run(Visit&& visit) const;

  // Whether concatenate() copies `right` only, in the long run, and not this text as well.
  bool takes_behind(const Text& right) const;
  static Text concatenate(const Text& left, const Text& right);

 private:
  friend class TextBuilder;

  struct Storage {
    std::string bytes;
    std::vector<OriginRun> runs;  // ascending, covering `bytes` without gaps, neighbours differ in origin
    bool frozen = false;

    void append(std::string_view more, Origin origin);
    void append(const Text& text);
    std::size_t run_at(std::size_t position) const;
  };

  Text(std::shared_ptr<Storage> storage, std::size_t begin, std::size_t size)
      : storage_(std::move(storage)), begin_(begin), size_(size) {}

  std::shared_ptr<Storage> storage_;
  std::size_t begin_ = 0;
  std::size_t size_ = 0;
};

class TextBuilder {
 public:
  TextBuilder() : storage_(std::make_shared<Text::Storage>()) {}

  void append(std::string_view bytes, Origin origin) { storage_->append(bytes, origin); }
  void append(const Text& text) { storage_->append(text); }
  std::size_t size() const { return storage_->bytes.size(); }
  std::size_t num_runs() const { return storage_->runs.size(); }

  // The builder is spent afterwards.
  Text take();
  std::pair<std::string, std::vector<OriginRun>> release();

 private:
  std::shared_ptr<Text::Storage> storage_;
};

template <typename Visit>
void Text::for_each_run(Visit&& visit) const {
  if (size_ == 0) return;
  const std::string_view bytes = storage_->bytes;
  const std::size_t end = begin_ + size_;
  std::size_t position = begin_;
  for (std::size_t run = storage_->run_at(position); position < end; ++run) {
    const OriginRun& current = storage_->runs[run];
    const std::size_t stop = std::min(current.end, end);
    visit(bytes.substr(position, stop - position), current.origin);
    position = stop;
  }
}

}  // namespace parley::orchestration::jinja
