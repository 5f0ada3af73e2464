#include "kernels/cpu/huge_buffer.h"

#include <sys/mman.h>

#include <cstdint>
#include <new>

namespace parley::kernels::cpu {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;

std::size_t whole_pages(std::size_t bytes) { return (bytes + kHugePage - 1) / kHugePage * kHugePage; }

}  // namespace

HugeBuffer::HugeBuffer(std::size_t bytes) : bytes_(bytes) {
  if (bytes == 0) return;
  if (bytes > SIZE_MAX - 2 * kHugePage) throw std::bad_alloc();
  // mmap aligns to 4 KiB only: take a page more and give back what lies outside the aligned part.
  const std::size_t wanted = whole_pages(bytes);
  void* mapping = mmap(nullptr, wanted + kHugePage, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED) throw std::bad_alloc();
  std::byte* begin = static_cast<std::byte*>(mapping);
  const std::size_t before =
      whole_pages(reinterpret_cast<std::uintptr_t>(begin)) - reinterpret_cast<std::uintptr_t>(begin);
  if (before > 0) munmap(begin, before);
  data_ = begin + before;
  munmap(data_ + wanted, kHugePage - before);
  madvise(data_, wanted, MADV_HUGEPAGE);  // advice only: without it the memory is slower, not wrong
}

HugeBuffer::~HugeBuffer() {
  if (data_ != nullptr) munmap(data_, whole_pages(bytes_));
}

}  // namespace parley::kernels::cpu
