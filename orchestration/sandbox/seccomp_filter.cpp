#include "orchestration/sandbox/seccomp_filter.h"

#include <errno.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <memory>
#include <type_traits>

#include "orchestration/sandbox/descriptor.h"

namespace parley::orchestration::sandbox {

namespace {

using Filter = std::unique_ptr<std::remove_pointer_t<scmp_filter_ctx>, decltype(&seccomp_release)>;

constexpr std::array kDeniedCalls = {
    // the file system's shape
    "mount", "umount", "umount2", "pivot_root", "chroot", "move_mount", "open_tree", "fsopen", "fsconfig",
    "fsmount", "fspick", "mount_setattr", "swapon", "swapoff", "quotactl", "quotactl_fd", "open_by_handle_at",
    "name_to_handle_at", "fanotify_init", "sysfs", "ustat",
    // other processes
    "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "kcmp", "pidfd_getfd", "setns",
    // the kernel
    "bpf", "perf_event_open", "userfaultfd", "io_uring_setup", "io_uring_enter", "io_uring_register",
    "kexec_load", "kexec_file_load", "init_module", "finit_module", "delete_module", "create_module",
    "get_kernel_syms", "query_module", "syslog", "lookup_dcookie", "nfsservctl", "uselib", "_sysctl", "vm86",
    "vm86old", "modify_ldt", "iopl", "ioperm",
    // keys, which no namespace separates
    "add_key", "keyctl", "request_key",
    // the machine
    "reboot", "acct", "settimeofday", "clock_settime", "clock_settime64", "clock_adjtime", "clock_adjtime64",
    "adjtimex", "stime", "vhangup", "sethostname", "setdomainname"};

constexpr std::array<std::uint64_t, 8> kNamespaceFlags = {
    CLONE_NEWUSER, CLONE_NEWNS,  CLONE_NEWPID,    CLONE_NEWNET,
    CLONE_NEWIPC,  CLONE_NEWUTS, CLONE_NEWCGROUP, 0x80 /* CLONE_NEWTIME, in unshare only */};

constexpr std::uint64_t kLowWord = 0xffffffff;  // ioctl and socket look at 32 bits of their argument

// Calls that this architecture does not have are passed over by number: there is nothing to deny.
bool deny(const Filter& filter, const char* name, int error) {
  const int number = seccomp_syscall_resolve_name(name);
  if (number == __NR_SCMP_ERROR || number < 0) return true;
  return seccomp_rule_add(filter.get(), SCMP_ACT_ERRNO(error), number, 0) == 0;
}

bool deny_where(const Filter& filter, int number, scmp_arg_cmp condition, int error) {
  return seccomp_rule_add_array(filter.get(), SCMP_ACT_ERRNO(error), number, 1, &condition) == 0;
}

bool deny_namespaces(const Filter& filter) {
  bool good = true;
  for (const std::uint64_t flag : kNamespaceFlags) {
    good &= deny_where(filter, SCMP_SYS(unshare), SCMP_A0(SCMP_CMP_MASKED_EQ, flag, flag), EPERM);
    if (flag == 0x80) continue;  // these bits of clone are the signal
    good &= deny_where(filter, SCMP_SYS(clone), SCMP_A0(SCMP_CMP_MASKED_EQ, flag, flag), EPERM);
  }
  return good && deny(filter, "clone3", ENOSYS);
}

bool allowed_family(int family) {
  return family == AF_UNIX || family == AF_INET || family == AF_INET6 || family == AF_NETLINK;
}

bool deny_families(const Filter& filter) {
  constexpr int kLast = 63;  // beyond all that exist; what is greater falls under the last rule
  bool good = true;
  for (int family = 0; family <= kLast; ++family) {
    if (allowed_family(family)) continue;
    const auto value = static_cast<std::uint64_t>(family);
    good &= deny_where(filter, SCMP_SYS(socket), SCMP_A0(SCMP_CMP_MASKED_EQ, kLowWord, value), EAFNOSUPPORT);
  }
  return good && deny_where(filter, SCMP_SYS(socket), SCMP_A0(SCMP_CMP_GT, kLast, 0), EAFNOSUPPORT);
}

bool deny_typing(const Filter& filter) {
  const scmp_arg_cmp typed = SCMP_A1(SCMP_CMP_MASKED_EQ, kLowWord, TIOCSTI);
  const scmp_arg_cmp console = SCMP_A1(SCMP_CMP_MASKED_EQ, kLowWord, TIOCLINUX);
  return deny_where(filter, SCMP_SYS(ioctl), typed, EPERM) &&
         deny_where(filter, SCMP_SYS(ioctl), console, EPERM);
}

bool add_rules(const Filter& filter) {
  bool good = seccomp_attr_set(filter.get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_ERRNO(ENOSYS)) == 0;
  for (const char* name : kDeniedCalls) good &= deny(filter, name, EPERM);
  return good && deny_namespaces(filter) && deny_families(filter) && deny_typing(filter);
}

std::string whole_file(const Descriptor& file) {
  std::string bytes;
  std::array<char, 4096> buffer;
  for (;;) {
    const ssize_t size =
        ::pread(file.number(), buffer.data(), buffer.size(), static_cast<off_t>(bytes.size()));
    if (size <= 0) return bytes;
    bytes.append(buffer.data(), static_cast<std::size_t>(size));
  }
}

}  // namespace

std::string seccomp_filter() {
  const Filter filter(seccomp_init(SCMP_ACT_ALLOW), &seccomp_release);
  if (filter == nullptr || !add_rules(filter)) return "";
  const Descriptor file = unsealed_memory_file("filter");
  if (!file.is_open() || seccomp_export_bpf(filter.get(), file.number()) != 0) return "";
  return whole_file(file);
}

}  // namespace parley::orchestration::sandbox
