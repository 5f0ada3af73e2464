#include "retrieval/scan/file_system.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace parley::retrieval::scan {
namespace {

constexpr const char* kMounts =
    "22 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
    "30 22 0:20 / /data/docs rw shared:1 - ext4 /dev/sdb1 rw\n"
    "31 30 0:21 / /data/docs/share\\040one rw master:3 shared:4 - nfs4 host:/x rw\n"
    "32 30 0:22 / /data/docs/a/proc rw - proc proc rw\n"
    "33 22 0:23 / /data/docs-old rw - xfs /dev/sdc rw\n"
    "broken line\n";

TEST(MountTable, KnowsWhatIsMountedBelowTheRoot) {
  const MountTable mounts(kMounts, "/data/docs");
  EXPECT_EQ(mounts.type_at("share one"), "nfs4");
  EXPECT_EQ(mounts.type_at("a/proc"), "proc");
  EXPECT_EQ(mounts.type_at("a"), std::nullopt);
  EXPECT_EQ(mounts.type_at(""), std::nullopt);
  EXPECT_EQ(mounts.type_at("-old"), std::nullopt);
  EXPECT_EQ(MountTable(kMounts, "/").type_at("data/docs-old"), "xfs");
}

TEST(MountTable, ReadsTheSystemsOwn) {
  EXPECT_EQ(MountTable(std::filesystem::path("/")).type_at("proc"), "proc");
}

TEST(FileSystem, KnowsWhatTheKernelMakesUp) {
  EXPECT_TRUE(is_made_by_kernel("sysfs"));
  EXPECT_FALSE(is_made_by_kernel("ext4"));
  EXPECT_FALSE(is_made_by_kernel("tmpfs"));
}

TEST(FileSystem, KnowsWhichOnesTellNothing) {
  EXPECT_EQ(unwatchable_magic(0x6969), "NFS");
  EXPECT_EQ(unwatchable_magic(0x65735546), "FUSE");
  EXPECT_EQ(unwatchable_magic(0xFF534D42), "CIFS");
  EXPECT_EQ(unwatchable_magic(0xEF53), std::nullopt);
  EXPECT_EQ(unwatchable_magic(0x01021994), std::nullopt);
  const int proc = ::open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  EXPECT_EQ(unwatchable_file_system(proc), std::nullopt);
  EXPECT_FALSE(is_btrfs(proc));
  ::close(proc);
}

}  // namespace
}  // namespace parley::retrieval::scan
