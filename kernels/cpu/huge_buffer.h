#pragma once
// Anonymous memory in huge pages (2 MiB, by MADV_HUGEPAGE), reserved once and kept: page faults are dear in
// virtual machines, so nothing on the hot path allocates. Zero-filled; a page takes memory when it is first
// written. Move-only; one owner, the memory may be used by any thread. Throws std::bad_alloc when the address
// space cannot be had.

#include <cstddef>
#include <utility>

namespace parley::kernels::cpu {

class HugeBuffer {
 public:
  HugeBuffer() = default;
  explicit HugeBuffer(std::size_t bytes);
  // As the constructor, but empty where that would throw.
  static HugeBuffer try_reserve(std::size_t bytes) noexcept;
  ~HugeBuffer();
  HugeBuffer(HugeBuffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  HugeBuffer& operator=(HugeBuffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }

  // Aligned to 2 MiB; null when bytes() is 0.
  std::byte* data() const { return data_; }
  template <typename T>
  T* as() const {
    return reinterpret_cast<T*>(data_);
  }
  std::size_t bytes() const { return bytes_; }

 private:
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace parley::kernels::cpu
