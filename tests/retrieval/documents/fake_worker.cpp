// Speaks as parley-documents does until a file's name tells it to do otherwise.
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "retrieval/documents/outcome_bytes.h"
#include "retrieval/documents/worker_protocol.h"

namespace {

using namespace parley::retrieval::documents;

std::string titled(const std::string& title) {
  Document document;
  document.text = "text";
  Block block;
  block.range = {0, 4};
  document.blocks = {block};
  document.title = title;
  return encoded_outcome(document);
}

std::string open_descriptors() {
  std::string list;
  for (int number = 0; number < 64; ++number) {
    if (::fcntl(number, F_GETFD) >= 0) list += std::to_string(number) + " ";
  }
  return list;
}

void send_raw(std::string_view bytes) {
  (void)!::send(kWorkerSocket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
}

void misbehave(const std::string& name) {
  if (name == "crash") ::abort();
  if (name == "exit") ::_exit(0);
  if (name == "hang") ::sleep(1000);
  if (name == "killed by cpu") ::raise(SIGXCPU);
  if (name == "garbage") {
    send_message(kWorkerSocket, "\x01\xFF\xFE\xFD garbage");
  } else if (name == "huge") {
    const std::uint64_t size = std::uint64_t{1} << 60;
    char raw[sizeof size];
    std::memcpy(raw, &size, sizeof size);
    send_raw({raw, sizeof raw});
    ::sleep(1000);
  } else if (name == "half") {
    const std::string answer = titled("half");
    const std::uint64_t size = answer.size() + 100;
    char raw[sizeof size];
    std::memcpy(raw, &size, sizeof size);
    send_raw({raw, sizeof raw});
    send_raw(answer);
    ::_exit(0);
  } else if (name == "grow") {
    static std::vector<char> grown;
    grown.assign(std::size_t{96} << 20, 'x');
    send_message(kWorkerSocket, titled(std::to_string(::getpid())));
  } else if (name == "descriptors") {
    send_message(kWorkerSocket, titled(open_descriptors()));
  } else if (name == "group") {
    send_message(kWorkerSocket, titled(::getpgrp() == ::getpid() ? "own group" : "a group of others"));
  } else {
    send_message(kWorkerSocket, titled(std::to_string(::getpid())));
  }
}

}  // namespace

int main() {
  std::string message;
  if (!receive_message(kWorkerSocket, message, kMaxWorkerName)) return 1;
  send_message(kWorkerSocket, kWorkerReady);
  for (;;) {
    OwnedDescriptor file;
    if (!receive_message(kWorkerSocket, message, kMaxWorkerName, &file)) return 0;
    misbehave(message);
  }
}
