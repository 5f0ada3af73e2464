#pragma once
// Variables in the strings of a tools file: ${VAR}, ${VAR:-default}, $VAR, ${env:VAR}, ${file:path},
// ${input:id}, ${userHome}, ${configDir} (also ${workspaceFolder}); $$ is a dollar sign ($${ where $VAR is
// left alone). Reads files, so any thread may use an object, one at a time. What cannot be filled in is a
// value with the reason.

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

// Whether $VAR is one, too; or only ${…}, in texts that may have dollar signs of their own (GraphQL).
enum class DollarNames : bool { filled_in, left_alone };

class ConfigVariables {
 public:
  ConfigVariables(Environment environment, std::filesystem::path config_folder);

  Expansion expand(std::string_view text, DollarNames names = DollarNames::filled_in);

  std::optional<std::string> variable(const std::string& name) const { return environment_(name); }
  const std::filesystem::path& folder() const { return folder_; }
  // A path as people write it: ~/docs, docs (in the folder), /docs.
  std::filesystem::path absolute(const std::string& path) const;

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

// *TOKEN* *SECRET* *KEY* *PASSWORD* and their kin; the words PASS, PWD, AUTH, COOKIE, SESSION. In any case.
bool is_secret_name(std::string_view name);

}  // namespace parley::orchestration::tools
