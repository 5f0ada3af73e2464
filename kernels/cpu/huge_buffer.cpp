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
  // mmap aligns to 4 KiB only: take a page more and give back what lies outside the aligned part.
  const std::size_t wanted = whole_pages(bytes);
  void* mapping = mmap(nullptr, wanted + kHugePage, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED) throw std::bad_alloc();
  const auto begin = reinterpret_cast<std::uintptr_t>(mapping);
  const std::uintptr_t aligned = (begin + kHugePage - 1) / kHugePage * kHugePage;
  if (aligned > begin) munmap(mapping, aligned - begin);
  const std::uintptr_t end = begin + wanted + kHugePage;
  if (end > aligned + wanted) munmap(reinterpret_cast<void*>(aligned + wanted), end - aligned - wanted);
  data_ = reinterpret_cast<std::byte*>(aligned);
  madvise(data_, wanted, MADV_HUGEPAGE);  // advice only: without it the memory is slower, not wrong
}

HugeBuffer::~HugeBuffer() {
  if (data_ != nullptr) munmap(data_, whole_pages(bytes_));
}

}  // namespace parley::kernels::cpu
