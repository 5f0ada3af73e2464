#pragma once
// inotify(7) as values. Move-only, one thread at a time.

#include <cstdint>
#include <string>
#include <vector>

namespace parley::retrieval::scan {

struct FolderEvent {
  int watch = -1;
  std::uint32_t mask = 0;    // IN_CREATE, …
  std::uint32_t cookie = 0;  // the same for both ends of a move
  std::string name;          // in the watched folder; empty: the folder itself
};

class Inotify {
 public:
  Inotify();  // not open on failure, whose errno is error()
  ~Inotify();
  Inotify(Inotify&& other) noexcept;
  Inotify& operator=(Inotify&& other) noexcept;

  bool is_open() const { return descriptor_ >= 0; }
  int error() const { return error_; }
  int descriptor() const { return descriptor_; }  // readable when there are events

  // Of what happens to names in the folder, and to itself. The watch's number, or minus errno.
  int add(const std::string& folder) const;
  void remove(int watch) const;
  std::vector<FolderEvent> read() const;  // what is there now

 private:
  int descriptor_ = -1;
  int error_ = 0;
};

}  // namespace parley::retrieval::scan
