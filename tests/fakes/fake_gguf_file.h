#pragma once
// A model file that is only metadata, set key by key. One thread; never fails.

#include <string>
#include <utility>
#include <vector>

#include "inference/formats/gguf.h"

namespace parley::tests::fakes {

class FakeGgufFile final : public inference::formats::GgufFile {
 public:
  // Replaces what the key had.
  void set(std::string_view key, inference::formats::MetadataValue value) {
    erase(key);
    entries_.push_back({std::string(key), std::move(value)});
  }
  void erase(std::string_view key) {
    std::erase_if(entries_, [&](const auto& entry) { return entry.key == key; });
  }

  const std::filesystem::path& path() const override { return path_; }
  int version() const override { return 3; }
  std::size_t file_bytes() const override { return 0; }
  bool is_unchanged() const override { return true; }
  std::span<const inference::formats::MetadataEntry> metadata() const override { return entries_; }
  std::span<const inference::formats::TensorInfo> tensors() const override { return {}; }
  const inference::formats::MetadataValue* find_metadata(std::string_view key) const override {
    for (const auto& entry : entries_) {
      if (entry.key == key) return &entry.value;
    }
    return nullptr;
  }
  const inference::formats::TensorInfo* find_tensor(std::string_view) const override { return nullptr; }

 private:
  std::filesystem::path path_ = "fake.gguf";
  std::vector<inference::formats::MetadataEntry> entries_;
};

}  // namespace parley::tests::fakes
