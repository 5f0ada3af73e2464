// What a fenced program sees of the file system and the network, and what it does not.

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "orchestration/sandbox/run_program.h"
#include "tests/fakes/temp_directory.h"
#include "tests/orchestration/sandbox/sandbox_run.h"

namespace parley::orchestration::sandbox {
namespace {

namespace fs = std::filesystem;
using tests::content_of;
using tests::program_of;
using tests::run;
using tests::shell;
using End = ProgramResult::End;

class FencedAccess : public tests::FencedTest {
 protected:
  // A folder that everybody may use, below one that only its owner may enter.
  fs::path folder(const char* name, mode_t mode = 0777) {
    const fs::path path = root_.path() / name;
    fs::create_directory(path);
    ::chmod(path.c_str(), mode);
    return path;
  }
  void write(const fs::path& path, const std::string& text) {
    std::ofstream(path) << text;
    ::chmod(path.c_str(), 0644);
  }

  tests::fakes::TempDirectory root_;  // 0700
};

TEST_F(FencedAccess, NothingOfTheHostButUsr) {
  const ProgramResult result = run(shell("ls -A /; ls -A /etc; ls -A /home"));
  EXPECT_EQ(result.output.find("root"), std::string::npos) << result.output;
  for (const char* name : {"run\n", "var\n", "sys\n", "shadow", "mnt\n", "boot"}) {
    EXPECT_EQ(result.output.find(name), std::string::npos) << name << " in " << result.output;
  }
}

TEST_F(FencedAccess, ProgramsOfUsrWork) {
  Program program = shell(
      "python3 -c 'import ssl, sqlite3; print(len(ssl.create_default_context().get_ca_certs()) > 9)'"
      "; id -un; awk 'BEGIN { print 6 * 7 }'; date +%Z > /dev/null && echo dated; hostname");
  EXPECT_EQ(run(program).output, "True\ntool\n42\ndated\ntool\n") << run(program).error;
}

TEST_F(FencedAccess, DeclaredPathsAreSeenWhereTheyAre) {
  const fs::path open = folder("open");
  write(open / "file", "hello");
  Program program = shell("cat " + (open / "file").string() + "; touch " + (open / "new").string());
  EXPECT_EQ(run(program).end, End::exited);
  EXPECT_EQ(run(program).output, "");
  program.access.readable = {open};
  EXPECT_EQ(run(program).output, "hello");
  EXPECT_FALSE(fs::exists(open / "new"));
  program.access.readable = {};
  program.access.writable = {open};
  EXPECT_EQ(run(program).output, "hello");
  EXPECT_TRUE(fs::exists(open / "new"));
}

TEST_F(FencedAccess, OneFileCanBeDeclared) {
  const fs::path open = folder("open");
  write(open / "file", "hello");
  write(open / "other", "secret");
  Program program = shell("cat " + open.string() + "/*");
  program.access.readable = {open / "file"};
  EXPECT_EQ(run(program).output, "hello");
}

TEST_F(FencedAccess, APathInsideAWritableOneCanBeReadOnly) {
  const fs::path open = folder("open");
  fs::create_directory(open / "kept");
  ::chmod((open / "kept").c_str(), 0777);
  Program program = shell("cd " + open.string() + " && touch a; touch kept/b; ls");
  program.access.writable = {open};
  program.access.readable = {open / "kept"};
  EXPECT_EQ(run(program).output, "a\nkept\n");
  EXPECT_FALSE(fs::exists(open / "kept" / "b"));
}

TEST_F(FencedAccess, AScriptElsewhereIsReachedByItsName) {
  const fs::path scripts = folder("scripts");
  write(scripts / "weather", "#!/bin/sh\necho sunny in \"$1\"\n");
  write(scripts / "neighbour", "secret");
  ::chmod((scripts / "weather").c_str(), 0755);
  EXPECT_EQ(run(program_of({(scripts / "weather").string(), "Rome"})).output, "sunny in Rome\n");
  Program program = program_of({(scripts / "weather").string()});
  program.working_directory = scripts;
  EXPECT_EQ(run(program).output, "sunny in \n") << "the folder is there, for the file in it";
}

// node_modules/.bin/tool and the like: the program finds what lies beside the file that the link leads to.
TEST_F(FencedAccess, AProgramThatIsALinkFindsItsOtherFiles) {
  const fs::path bin = folder(".bin");
  const fs::path package = folder("package");
  write(package / "main", "#!/bin/sh\ncat \"$(dirname \"$(readlink -f \"$0\")\")/words\"\n");
  write(package / "words", "hello");
  ::chmod((package / "main").c_str(), 0755);
  fs::create_symlink("../package/main", bin / "tool");
  Program program = program_of({(bin / "tool").string()});
  program.access.readable = {package};
  EXPECT_EQ(run(program).output, "hello") << run(program).error;
  program.access.readable = {bin, bin / "tool", package};
  EXPECT_EQ(run(program).output, "hello") << run(program).error;
  program.access.readable = {package, bin};
  EXPECT_EQ(run(program).output, "hello") << run(program).error;
  program.access.readable = {package, bin / "tool"};
  program.access.writable = {bin};
  EXPECT_NE(run(program).error.find("which lies in a folder that programs may write to"), std::string::npos)
      << "a link that a program may have put in";
}

TEST_F(FencedAccess, WhatIsHiddenStaysSoInsideADeclaredFolder) {
  const fs::path open = folder("open");
  fs::create_directory(open / "data");
  write(open / "data" / "secret", "secret");
  write(open / "key", "secret");
  write(open / "file", "hello");
  ::chmod((open / "data").c_str(), 0755);
  fs::create_directory_symlink(open, root_.path() / "link");
  Program program = shell("cd $0; cat file key data/secret; ls data; echo x > key; touch data/x; true");
  program.access.hidden = {open / "data", open / "key", "/no/such/file"};
  for (const fs::path& way : {open, root_.path() / "link"}) {
    program.argv.resize(3);
    program.argv.push_back(way.string());
    program.access.readable = {way};
    EXPECT_EQ(run(program).output, "hello");
    program.access.readable = {};
    program.access.writable = {way};
    EXPECT_EQ(run(program).output, "hello");
    program.access.writable = {};
  }
  EXPECT_EQ(content_of(open / "data" / "secret") + content_of(open / "key"), "secretsecret");
}

TEST_F(FencedAccess, WhatIsHiddenBehindAClosedFolderKeepsNoProgramFromStarting) {
  const fs::path open = folder("open");
  fs::create_directory(open / "closed");
  write(open / "closed" / "key", "secret");
  write(open / "file", "hello");
  ::chmod((open / "closed").c_str(), 0700);
  Program program = shell("cd $0; cat file closed/key; true");
  program.argv.push_back(open.string());
  program.access.readable = {open};
  program.access.hidden = {open / "closed" / "key"};
  const ProgramResult result = run(program);
  EXPECT_EQ(result.output, "hello") << result.error;
}

TEST_F(FencedAccess, DataBelowUsrIsHiddenToo) {
  Program program = shell("ls -A /usr/share/doc; ls /usr/share/zoneinfo | head -1");
  EXPECT_NE(run(program).output.find("base-files"), std::string::npos);
  program.access.hidden = {"/usr/share/doc"};
  EXPECT_EQ(run(program).output.find("base-files"), std::string::npos);
}

TEST_F(FencedAccess, NoProgramLeadsAnotherOneElsewhereByALink) {
  const fs::path work = folder("work");
  const fs::path secret = folder("secret");
  write(secret / "key", "secret");
  Program planting = shell("ln -s " + secret.string() + " " + (work / "in").string());
  planting.access.writable = {work};
  EXPECT_EQ(run(planting).code, 0);
  Program reading = shell("cat " + (work / "in" / "key").string());
  reading.access.readable = {work / "in"};
  EXPECT_EQ(run(reading).output, "secret") << "where nothing is known of the other one";
  reading.access.changeable = {work};
  const ProgramResult refused = run(reading);
  EXPECT_EQ(refused.end, End::not_started);
  EXPECT_NE(refused.error.find("a folder that programs may write to"), std::string::npos) << refused.error;
}

TEST_F(FencedAccess, ThePrivateHomeIsForgottenUnlessItIsKept) {
  Program program = shell("cat ~/count; echo x >> ~/count");
  run(program);
  EXPECT_EQ(run(program).output, "");
  program.access.home = root_.path() / "data" / "home";
  EXPECT_EQ(run(program).output, "");
  EXPECT_EQ(run(program).output, "x\n");
  EXPECT_EQ(content_of(program.access.home / "count"), "x\nx\n");
}

TEST_F(FencedAccess, TemporaryFoldersAreBoundedAndForgotten) {
  Program program = shell(
      "for d in /tmp /dev/shm ~; do dd if=/dev/zero of=$d/x bs=1M count=8 2>/dev/null || echo full $d; done");
  program.limits.temporary_bytes = std::size_t{4} << 20;
  EXPECT_EQ(run(program).output, "full /tmp\nfull /dev/shm\nfull /home/tool\n");
  EXPECT_EQ(run(shell("ls /tmp /dev/shm ~ | grep x")).output, "");
}

TEST_F(FencedAccess, AnUnreadablePathIsSaidWithTheUserId) {
  const fs::path closed = folder("closed", 0000);
  if (::geteuid() != 0 && ::access(closed.c_str(), R_OK) == 0) GTEST_SKIP() << "this user reads everything";
  Program program = shell("true");
  program.access.readable = {closed};
  const ProgramResult result = run(program);
  EXPECT_EQ(result.end, End::not_started);
  EXPECT_NE(result.error.find(closed.string() + " cannot be read by user id"), std::string::npos)
      << result.error;
  program.access.readable = {};
  program.access.writable = {folder("locked", 0555)};
  EXPECT_NE(run(program).error.find("cannot be written by user id"), std::string::npos);
}

TEST_F(FencedAccess, WithTheNetworkOnNamesCanBeLookedUp) {
  Program program = shell("cat /etc/resolv.conf /etc/nsswitch.conf; getent hosts localhost");
  program.access.network = Network::on;
  const ProgramResult result = run(program);
  EXPECT_NE(result.output.find(content_of("/etc/resolv.conf")), std::string::npos);
  EXPECT_NE(result.output.find("hosts: files dns"), std::string::npos);
  EXPECT_NE(result.output.find("localhost"), std::string::npos);
}

TEST_F(FencedAccess, WithTheNetworkOffThereIsOnlyLoopback) {
  EXPECT_EQ(run(shell("cat /proc/net/dev | tail -n +3 | cut -d: -f1 | tr -d ' '")).output, "lo\n");
  EXPECT_EQ(run(shell("python3 -c 'import socket; s = socket.create_server((\"localhost\", 0));"
                      "c = socket.create_connection(s.getsockname()); print(\"ok\")'"))
                .output,
            "ok\n");
}

TEST_F(FencedAccess, SecretsOfTheEnvironmentAreOnNoCommandLine) {
  Program program = shell("cat /proc/*/cmdline | tr '\\0' ' '; sleep 0.3");
  program.environment["KEY"] = "Zt7secret";
  std::string seen;
  RunOptions options = tests::within(std::chrono::seconds(20));
  options.on_error_line = [&](std::string_view) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator("/proc", error))
      seen += content_of(entry.path() / "cmdline");
  };
  program.argv[2] = "echo now >&2; sleep 0.5";
  run_program(program, options);
  EXPECT_NE(seen.find("bwrap"), std::string::npos);
  EXPECT_EQ(seen.find("Zt7secret"), std::string::npos);
}

}  // namespace
}  // namespace parley::orchestration::sandbox
