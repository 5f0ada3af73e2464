#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "app/server/static_files.h"
#include "tests/app/server/found_in.h"
#include "tests/fakes/message_of.h"
#include "tests/fakes/temp_directory.h"

namespace parley::app::server {
namespace {

class FolderFilesTest : public testing::Test {
 protected:
  FolderFilesTest() {
    std::filesystem::create_directories(ui() / "assets");
    std::filesystem::create_directories(root() / "ui-secret");
    write(root() / "secret.txt", "secret");
    write(root() / "ui-secret" / "a.txt", "secret");
    write(ui() / "index.html", "page");
    write(ui() / "assets" / "a.js", "script");
    std::filesystem::create_symlink(root() / "secret.txt", ui() / "link.txt");
    std::filesystem::create_symlink(root(), ui() / "linked");
    std::filesystem::create_symlink("index.html", ui() / "inside.html");
    mkfifo((ui() / "pipe").c_str(), 0600);
    files_ = make_folder_files(ui());
  }

  std::filesystem::path root() const { return directory_.path(); }
  std::filesystem::path ui() const { return root() / "ui"; }
  static void write(const std::filesystem::path& path, const std::string& text) {
    std::ofstream(path) << text;
  }

  std::optional<StaticFile> find(const std::string& path) { return found_in(*files_, path); }

  tests::fakes::TempDirectory directory_;
  std::unique_ptr<StaticFiles> files_;
};

TEST_F(FolderFilesTest, ReadsFilesAndNoticesChanges) {
  EXPECT_EQ(find("/index.html")->bytes, "page");
  EXPECT_EQ(find("/assets/a.js")->bytes, "script");
  const std::string before = find("/index.html")->hash;
  write(ui() / "index.html", "newer page");
  EXPECT_EQ(find("/index.html")->bytes, "newer page");
  EXPECT_NE(find("/index.html")->hash, before);
}

TEST_F(FolderFilesTest, ReadsNothingOutside) {
  using std::string_literals::operator""s;
  const std::string names[] = {"/../secret.txt",
                               "/..",
                               "/../",
                               "/assets/../../secret.txt",
                               "/assets/../index.html",
                               "/./index.html",
                               "//index.html",
                               "/assets//a.js",
                               "/../ui-secret/a.txt",
                               "/..\\secret.txt",
                               "/link.txt",
                               "/linked/secret.txt",
                               "/linked/ui/index.html",
                               "/inside.html",
                               "/pipe",
                               "/assets",
                               "/",
                               "",
                               "index.html",
                               "../secret.txt",
                               "/etc/passwd",
                               "//etc/passwd",
                               "/index.html/",
                               "/index.html/..",
                               "/index.html\0.txt"s,
                               "/\0"s,
                               "/assets/\0/../a.js"s,
                               "/%2e%2e/secret.txt",
                               "/..%2fsecret.txt",
                               "/...",
                               "/.../secret.txt",
                               "/ /secret.txt",
                               "/assets/./a.js",
                               "/" + std::string(300, 'a'),
                               "/" + std::string(5000, 'a'),
                               root().string() + "/secret.txt",
                               "/" + root().string() + "/secret.txt",
                               "/proc/self/environ",
                               "/\xC0\xAE\xC0\xAE/secret.txt",
                               "/\xEF\xBC\x8E\xEF\xBC\x8E/secret.txt"};
  for (const std::string& name : names) EXPECT_FALSE(find(name)) << name;
  std::string deep;
  for (int i = 0; i < 200; ++i) {
    deep += "/..";
    EXPECT_FALSE(find(deep + "/etc/passwd"));
  }
}

TEST_F(FolderFilesTest, SaysThatTheFolderIsMissing) {
  const std::string error = tests::fakes::message_of([&] { make_folder_files(root() / "none"); });
  EXPECT_NE(error.find("ui_dir"), std::string::npos) << error;
}

}  // namespace
}  // namespace parley::app::server
