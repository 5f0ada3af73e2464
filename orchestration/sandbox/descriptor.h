#pragma once
// An owned file descriptor, and the kinds of them that running programs takes. One owner, any thread. Where
// the process or the machine has run out of descriptors or memory, what is made is not open and errno says
// why.

#include <string_view>

namespace parley::orchestration::sandbox {

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int number() const { return number_; }
  bool is_open() const { return number_ >= 0; }
  int release();
  void close();

 private:
  int number_ = -1;
};

struct Pipe {
  Descriptor read_end;
  Descriptor write_end;
  bool is_open() const { return read_end.is_open(); }
};

// All are closed on exec.
Pipe make_pipe();
void make_non_blocking(const Descriptor& descriptor);
Descriptor make_event();                     // eventfd; non-blocking
void signal_event(const Descriptor& event);  // any thread
void clear_event(const Descriptor& event);
Descriptor unsealed_memory_file(const char* name);                 // empty, to be written; may be executed
Descriptor memory_file(const char* name, std::string_view bytes);  // sealed, to be read from its start

}  // namespace parley::orchestration::sandbox
