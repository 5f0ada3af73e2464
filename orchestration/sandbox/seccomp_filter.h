#pragma once
// The system calls that no program of a tool gets: what reaches into the kernel or into other processes
// (mount, ptrace, bpf, keyctl, userfaultfd, io_uring, kexec, …), new namespaces, socket families beyond Unix,
// IPv4, IPv6 and netlink (vsock is not fenced by a network namespace), and typing into a terminal. They fail
// with EPERM, clone3 with ENOSYS, so that C libraries fall back to clone, whose flags can be judged.

#include <string>

namespace parley::orchestration::sandbox {

// BPF instructions as the kernel takes them. Empty: it could not be built, errno says why.
std::string seccomp_filter();

}  // namespace parley::orchestration::sandbox
