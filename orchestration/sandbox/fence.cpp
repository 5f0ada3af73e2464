#include "orchestration/sandbox/fence.h"

#include <sys/stat.h>

#include <algorithm>
#include <initializer_list>
#include <string_view>

#include "orchestration/sandbox/launch_plan.h"
#include "orchestration/sandbox/paths.h"

namespace parley::orchestration::sandbox {

namespace {

namespace fs = std::filesystem;

// Whether the user may enter each folder from `top` down to `path`. Where not, the program sees nothing of
// it, and bubblewrap, which runs as the same user, could not cover it either.
bool can_be_reached(const fs::path& path, const fs::path& top, const ToolUser& user) {
  if (!user.changed) return true;
  for (fs::path folder = path.parent_path(); path != top && lies_in(folder, top);
       folder = folder.parent_path()) {
    struct stat status = {};
    if (::stat(folder.c_str(), &status) != 0) return false;
    const bool is_owner = status.st_uid == user.user;
    const bool is_in_group = status.st_gid == user.group;
    const mode_t enter = is_owner ? S_IXUSR : is_in_group ? S_IXGRP : S_IXOTH;
    if ((status.st_mode & enter) == 0) return false;
    if (folder == folder.root_path()) break;
  }
  return true;
}

class FenceBuilder {
 public:
  FenceBuilder(const Program& program, const ToolUser& user) : program_(program), user_(user) {}

  FenceCommand build(const DeclaredPaths& declared) {
    const std::vector<DeclaredPath>& paths = declared.paths;
    separate();
    add_system();
    add_accounts();
    add_network_files();
    add_kernel_folders();
    add_temporary_folders();
    for (const DeclaredLink& link : declared.links)
      add({"--symlink", link.target.string(), link.place.string()});
    for (std::size_t i = 0; i < paths.size(); ++i) add_declared(paths[i], i);
    hide(paths);
    add({"--remount-ro", "/"});
    return std::move(command_);
  }

 private:
  void add(std::initializer_list<std::string> words) {
    command_.arguments.insert(command_.arguments.end(), words);
  }

  void separate() {
    add({"--unshare-all", "--unshare-user", "--disable-userns", "--cap-drop", "ALL", "--die-with-parent",
         "--new-session", "--clearenv", "--hostname", "tool"});
    if (program_.access.network == Network::on) add({"--share-net"});
  }

  // /usr with the links and folders that belong to it, and of /etc what it takes to load programs, verify
  // certificates, tell local time.
  void add_system() {
    bind_system("/usr");
    std::error_code error;
    for (const char* name : {"/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"}) {
      if (fs::is_symlink(name, error)) {
        add({"--symlink", fs::read_symlink(name, error).string(), name});
      } else if (fs::is_directory(name, error)) {
        bind_system(name);
      }
    }
    for (const char* name : {"/etc/ld.so.cache", "/etc/alternatives", "/etc/ssl/certs",
                             "/etc/ssl/openssl.cnf", "/etc/pki/tls/certs", "/etc/pki/ca-trust/extracted",
                             "/etc/localtime", "/etc/protocols", "/etc/services"}) {
      add({"--ro-bind-try", name, name});
    }
  }

  void bind_system(const char* name) {
    add({"--ro-bind", name, name});
    system_.push_back({name, name, false});
  }

  void add_data(std::string content, std::string_view destination) {
    command_.data.push_back(std::move(content));
    const std::size_t descriptor =
        first_data_descriptor + command_.data.size();  // the first holds these words
    add({"--perms", "0444", "--ro-bind-data", std::to_string(descriptor), std::string(destination)});
  }

  void add_accounts() {
    const std::string user = std::to_string(user_.user);
    const std::string group = std::to_string(user_.group);
    add_data("tool:x:" + user + ":" + group + ":tool:" + kHomeInside +
                 ":/usr/sbin/nologin\nnobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n",
             "/etc/passwd");
    add_data("tool:x:" + group + ":\nnogroup:x:65534:\n", "/etc/group");
    add_data("passwd: files\ngroup: files\nhosts: files dns\n", "/etc/nsswitch.conf");
  }

  void add_network_files() {
    if (program_.access.network == Network::off) {
      add_data("127.0.0.1 localhost tool\n::1 localhost tool\n", "/etc/hosts");
      return;
    }
    for (const char* name : {"/etc/resolv.conf", "/etc/hosts", "/etc/gai.conf"}) {
      add({"--ro-bind-try", name, name});
    }
  }

  void add_tmpfs(std::string_view destination, std::string_view permissions) {
    add({"--perms", std::string(permissions), "--size", std::to_string(program_.limits.temporary_bytes),
         "--tmpfs", std::string(destination)});
  }

  void add_kernel_folders() {
    add({"--proc", "/proc", "--dev", "/dev"});
    add_tmpfs("/dev/shm", "1777");
    add({"--remount-ro", "/dev"});
  }

  void add_temporary_folders() {
    add_tmpfs("/tmp", "1777");
    if (program_.access.home.empty()) add_tmpfs(kHomeInside, "0700");
  }

  void add_declared(const DeclaredPath& path, std::size_t index) {
    const std::string source =
        user_.changed ? std::string(kStagingFolder) + "/" + std::to_string(index) : path.source.string();
    add({path.writable ? "--bind" : "--ro-bind", source, path.destination.string()});
  }

  std::vector<fs::path> all_hidden(const std::vector<DeclaredPath>& paths) const {
    std::vector<fs::path> hidden = program_.access.hidden;
    const fs::path& maybe = program_.access.hidden_unless_declared;
    if (maybe.empty()) return hidden;
    std::error_code ignored;
    const fs::path folder = fs::weakly_canonical(maybe, ignored);
    const auto lies_there = [&](const fs::path& path) {
      return path.is_absolute() && lies_in(fs::weakly_canonical(path, ignored), folder);
    };
    const bool is_declared = lies_there(program_.argv.front()) || lies_there(program_.working_directory) ||
                             std::any_of(paths.begin(), paths.end(),
                                         [&](const DeclaredPath& path) { return lies_there(path.source); });
    if (!is_declared) hidden.push_back(folder);
    return hidden;
  }

  // Where a folder above is bound, an empty one takes the place of what is hidden.
  void hide(const std::vector<DeclaredPath>& paths) {
    std::error_code error;
    std::vector<DeclaredPath> bound = system_;
    bound.insert(bound.end(), paths.begin(), paths.end());
    for (const fs::path& path : all_hidden(paths)) {
      const fs::path hidden = fs::canonical(path, error);
      if (error) continue;  // there is nothing to hide
      for (const DeclaredPath& place : bound) {
        const fs::path source = fs::canonical(place.source, error);
        if (error || !lies_in(hidden, source) || !can_be_reached(hidden, source, user_)) continue;
        cover(place.destination / hidden.lexically_relative(source), fs::is_directory(hidden, error));
      }
    }
  }

  void cover(const fs::path& place, bool is_folder) {
    if (!is_folder) return add_data("", place.string());
    add({"--perms", "0000", "--size", "4096", "--tmpfs", place.string(), "--remount-ro", place.string()});
  }

  const Program& program_;
  ToolUser user_;
  FenceCommand command_;
  std::vector<DeclaredPath> system_;
};

}  // namespace

FenceCommand fence_command(const Program& program, const DeclaredPaths& declared, const ToolUser& user) {
  return FenceBuilder(program, user).build(declared);
}

}  // namespace parley::orchestration::sandbox
