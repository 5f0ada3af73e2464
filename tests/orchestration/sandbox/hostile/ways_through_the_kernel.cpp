#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/io_uring.h>
#include <linux/keyctl.h>
#include <linux/perf_event.h>
#include <linux/reboot.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/klog.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/reboot.h>
#include <sys/socket.h>
#include <sys/swap.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/orchestration/sandbox/hostile/ways_out.h"

namespace parley::tests::hostile {

namespace {

using Text = const std::string&;

bool done(long result) { return result >= 0; }

bool with_child(long pid) {
  if (pid == 0) _exit(0);
  return pid > 0 && waitpid(static_cast<pid_t>(pid), nullptr, 0) == pid;
}

bool clone3_user(Text) {
  clone_args arguments = {};
  arguments.flags = CLONE_NEWUSER;
  arguments.exit_signal = SIGCHLD;
  return with_child(syscall(SYS_clone3, &arguments, sizeof arguments));
}

bool types_into_terminal(Text) {
  const int terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY);
  char letter = 'x';
  return done(ioctl(terminal >= 0 ? terminal : 0, TIOCSTI, &letter));
}

// The kernel looks at the low half of the number only.
bool types_with_high_bits(Text) {
  const int terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY);
  char letter = 'x';
  return done(syscall(SYS_ioctl, terminal >= 0 ? terminal : 0, 0x100000000UL | TIOCSTI, &letter));
}

bool loads_bpf(Text) {
  union bpf_attr attributes = {};
  attributes.map_type = BPF_MAP_TYPE_ARRAY;
  attributes.key_size = 4;
  attributes.value_size = 4;
  attributes.max_entries = 1;
  return done(syscall(SYS_bpf, BPF_MAP_CREATE, &attributes, sizeof attributes));
}

bool opens_perf(Text) {
  perf_event_attr attributes = {};
  attributes.size = sizeof attributes;
  attributes.type = PERF_TYPE_SOFTWARE;
  attributes.exclude_kernel = 1;
  return done(syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0));
}

bool sets_up_ring(Text) {
  io_uring_params parameters = {};
  return done(syscall(SYS_io_uring_setup, 1, &parameters));
}

bool adds_key(Text) {
  return done(syscall(SYS_add_key, "user", "parley-probe", "x", 1, KEY_SPEC_PROCESS_KEYRING));
}

bool opens_by_handle(Text) {
  file_handle handle = {};
  int mount_id = 0;
  const int found = name_to_handle_at(AT_FDCWD, "/usr", &handle, &mount_id, 0);
  return found == 0 || errno == EOVERFLOW;
}

bool sets_time(Text) {
  timeval now = {};
  gettimeofday(&now, nullptr);
  return done(settimeofday(&now, nullptr));
}

bool enters_namespace(Text) {
  const int file = open("/proc/1/ns/mnt", O_RDONLY);
  return done(setns(file, 0));
}

}  // namespace

std::vector<WayOut> ways_through_the_kernel() {
  return {
      {"mount_tmpfs", [](Text) { return done(mount("x", "/tmp", "tmpfs", 0, nullptr)); }},
      {"mount_proc", [](Text) { return done(mount("x", "/tmp", "proc", 0, nullptr)); }},
      {"bind_mount", [](Text) { return done(mount("/usr", "/tmp", nullptr, MS_BIND, nullptr)); }},
      {"remount_root",
       [](Text) { return done(mount(nullptr, "/", nullptr, MS_REMOUNT | MS_BIND, nullptr)); }},
      {"unmount", [](Text) { return done(umount2("/tmp", MNT_DETACH)); }},
      {"open_tree", [](Text) { return done(syscall(SYS_open_tree, AT_FDCWD, "/", 1)); }},
      {"fsopen", [](Text) { return done(syscall(SYS_fsopen, "tmpfs", 0)); }},
      {"pivot_root", [](Text) { return done(syscall(SYS_pivot_root, "/tmp", "/tmp")); }},
      {"chroot", [](Text) { return done(chroot("/usr")); }},
      {"unshare_user", [](Text) { return done(unshare(CLONE_NEWUSER)); }},
      {"unshare_mounts", [](Text) { return done(unshare(CLONE_NEWNS)); }},
      {"unshare_both", [](Text) { return done(unshare(CLONE_NEWUSER | CLONE_NEWNET | CLONE_FS)); }},
      {"clone_user",
       [](Text) { return with_child(syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0)); }},
      {"clone3_user", clone3_user},
      {"setns", enters_namespace},
      {"bpf", loads_bpf},
      {"perf_event_open", opens_perf},
      {"io_uring", sets_up_ring},
      {"userfaultfd", [](Text) { return done(syscall(SYS_userfaultfd, 1 /* user mode only */)); }},
      {"add_key", adds_key},
      {"keyctl",
       [](Text) { return done(syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_USER_KEYRING, 1)); }},
      {"request_key",
       [](Text) { return done(syscall(SYS_request_key, "user", "parley-probe", nullptr, 0)); }},
      {"kexec_load", [](Text) { return done(syscall(SYS_kexec_load, 0, 0, nullptr, 0)); }},
      {"init_module", [](Text) { return done(syscall(SYS_init_module, "", 0, "")); }},
      {"name_to_handle", opens_by_handle},
      {"kernel_log", [](Text) { return done(klogctl(10 /* size of the buffer */, nullptr, 0)); }},
      {"set_time", sets_time},
      {"swapon", [](Text) { return done(swapon("/dev/null", 0)); }},
      {"reboot", [](Text) { return done(reboot(LINUX_REBOOT_CMD_CAD_OFF)); }},
      {"set_host_name", [](Text) { return done(sethostname("x", 1)); }},
      {"type_into_terminal", types_into_terminal},
      {"type_with_high_bits", types_with_high_bits},
      {"vsock", [](Text) { return done(socket(40 /* AF_VSOCK */, SOCK_STREAM, 0)); }},
      {"packet_socket", [](Text) { return done(socket(AF_PACKET, SOCK_RAW, 0)); }},
      {"raw_socket", [](Text) { return done(socket(AF_INET, SOCK_RAW, 1)); }},
      {"crypto_socket", [](Text) { return done(socket(AF_ALG, SOCK_SEQPACKET, 0)); }},
  };
}

}  // namespace parley::tests::hostile
