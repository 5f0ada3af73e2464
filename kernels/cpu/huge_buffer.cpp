#include "kernels/cpu/huge_buffer.h"

#include <sys/mman.h>

#include <cstdint>
#include <new>

namespace parley::kernels::cpu {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;

std::size_t whole_pages(std::size_t bytes) { return (bytes + kHugePage - 1) / kHugePage * kHugePage; }

}  // namespace

HugeBuffer::HugeBuffer(std::size_t bytes) : HugeBuffer(try_reserve(bytes)) {
  if (bytes_ != bytes) throw std::bad_alloc();
}

HugeBuffer HugeBuffer::try_reserve(std::size_t bytes) noexcept {
  HugeBuffer buffer;
  if (bytes == 0 || bytes > SIZE_MAX - 2 * kHugePage) return buffer;
  // mmap aligns to 4 KiB only: take a page more and give back what lies outside the aligned part.
  const std::size_t wanted = whole_pages(bytes);
  void* mapping = mmap(nullptr, wanted + kHugePage, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED) return buffer;
  std::byte* begin = static_cast<std::byte*>(mapping);
  const std::size_t before =
      whole_pages(reinterpret_cast<std::uintptr_t>(begin)) - reinterpret_cast<std::uintptr_t>(begin);
  if (before > 0) munmap(begin, before);
  buffer.data_ = begin + before;
  buffer.bytes_ = bytes;
  munmap(buffer.data_ + wanted, kHugePage - before);
  madvise(buffer.data_, wanted, MADV_HUGEPAGE);  // advice only: without it the memory is slower, not wrong
  return buffer;
}

HugeBuffer::~HugeBuffer() {
  if (data_ != nullptr) munmap(data_, whole_pages(bytes_));
}

}  // namespace parley::kernels::cpu
