#pragma once
// Variables in the strings of a tools file: ${VAR}, ${VAR:-default}, $VAR, ${env:VAR}, ${file:path},
// ${input:id}, ${userHome}, ${configDir} (also ${workspaceFolder}); $$ is a dollar sign. Reads files, so any
// thread may use an object, one at a time. What cannot be filled in is a value with the reason.

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parley::orchestration::tools {

// Looks a variable of the process up; nullopt when it is not set.
using Environment = std::function<std::optional<std::string>(const std::string&)>;

struct Expansion {
  std::string text;
  std::string problem;  // not empty: names the variable and says what to do
};

class ConfigVariables {
 public:
  ConfigVariables(Environment environment, std::filesystem::path config_folder);

  Expansion expand(std::string_view text);

  std::optional<std::string> variable(const std::string& name) const { return environment_(name); }
  const std::filesystem::path& folder() const { return folder_; }

  // A value that must never be shown. Short ones are not kept: redacting "1" would spoil every output.
  void add_secret(std::string value);
  const std::vector<std::string>& secrets() const { return secrets_; }

 private:
  Expansion value_of(std::string_view expression);
  Expansion from_environment(std::string_view expression);
  Expansion from_file(std::string_view path);
  Expansion from_input(std::string_view id);

  Environment environment_;
  std::filesystem::path folder_;
  std::vector<std::string> secrets_;
};

// *TOKEN* *SECRET* *KEY* *PASSWORD* and their kin, in any case.
bool is_secret_name(std::string_view name);

}  // namespace parley::orchestration::tools
