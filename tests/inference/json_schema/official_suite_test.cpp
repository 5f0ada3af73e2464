// The official JSON-Schema-Test-Suite, as scripts/test fetches it: all required tests of the drafts, and
// those optional ones whose subject we have. What is refused when it is compiled is listed here with its
// reason.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <ostream>
#include <set>
#include <string>

#include "inference/json_schema/schema.h"

namespace parley::inference::json_schema {
namespace {

namespace fs = std::filesystem;
using json::JsonObject;
using json::JsonValue;

const fs::path kSuite = fs::path(PARLEY_SOURCE_DIR) / "build/tools/json-schema-test-suite";

// Schemas that are refused as they are, since something is to be fetched. (They are checked once more with
// what they refer to put inside.)
constexpr std::string_view kRefused[] = {
    "leads out of this schema. Nothing is ever fetched",
    "`$schema` is \"http://localhost:1234/",  // a metaschema of the suite's own
};

struct Tally {
  std::size_t checked = 0;
  std::size_t refused = 0;
};

JsonValue load(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(in), {});
  auto parsed = json::parse_json(text, {.max_bytes = 1 << 22, .max_depth = 128});
  if (const auto* error = std::get_if<json::JsonError>(&parsed)) {
    ADD_FAILURE() << path << ": " << error->message;
    return json::JsonArray{};
  }
  return std::get<JsonValue>(std::move(parsed));
}

bool may_be_refused(const SchemaError& error) {
  return std::any_of(std::begin(kRefused), std::end(kRefused), [&](std::string_view reason) {
    return error.message.find(reason) != std::string::npos;
  });
}

void check_instances(const fs::path& file, const JsonObject& group, const Schema& schema, Tally& tally) {
  for (const JsonValue& test : group.at("tests").as_array()) {
    const auto violations = schema.validate(test.at("data"));
    EXPECT_EQ(violations.empty(), test.at("valid").as_bool())
        << file << ": " << group.at("description") << ": " << test.at("description")
        << (violations.empty() ? std::string{} : ": " + to_text(violations.front()));
    ++tally.checked;
  }
}

void run_group(const fs::path& file, const JsonObject& group, const SchemaOptions& options, Tally& tally) {
  auto compiled = Schema::compile(group.at("schema"), options);
  if (const auto* error = std::get_if<SchemaError>(&compiled)) {
    EXPECT_TRUE(may_be_refused(*error)) << file << ": " << group.at("description") << ": " << to_text(*error);
    ++tally.refused;
    return;
  }
  check_instances(file, group, std::get<Schema>(compiled), tally);
}

// Schemas without `$schema` mean the draft of their folder.
JsonObject with_draft(const JsonObject& group, std::string_view draft) {
  JsonObject out = group;
  if (auto* schema = out.at("schema").if_object(); schema && !schema->contains("$schema")) {
    schema->emplace("$schema", draft);
  }
  return out;
}

struct Folder {
  std::string_view path;
  std::string_view draft;
};

void PrintTo(const Folder& folder, std::ostream* out) { *out << folder.path; }

constexpr Folder kDraft7Debian{"debian/tests/draft7", "http://json-schema.org/draft-07/schema#"};
constexpr Folder kDraft7{"pypi/tests/draft7", "http://json-schema.org/draft-07/schema#"};
constexpr Folder kDraft2019{"pypi/tests/draft2019-09", "https://json-schema.org/draft/2019-09/schema"};
constexpr Folder kDraft2020{"pypi/tests/draft2020-12", "https://json-schema.org/draft/2020-12/schema"};

Tally run_folder(const Folder& folder, std::string_view subfolder, const std::set<std::string>& left_out,
                 const SchemaOptions& options) {
  Tally tally;
  for (const auto& entry : fs::directory_iterator(kSuite / folder.path / subfolder)) {
    if (!entry.is_regular_file() || left_out.contains(entry.path().stem())) continue;
    const JsonValue groups = load(entry.path());
    for (const JsonValue& group : groups.as_array()) {
      run_group(entry.path(), with_draft(group.as_object(), folder.draft), options, tally);
    }
  }
  std::cout << folder.path << "/" << subfolder << ": " << tally.checked << " instances checked, "
            << tally.refused << " schemas refused\n";
  return tally;
}

class OfficialSuiteTest : public testing::TestWithParam<Folder> {
 protected:
  void SetUp() override {
    if (!fs::exists(kSuite / GetParam().path)) {
      GTEST_SKIP() << "NOT RUN: " << kSuite << " is not here; scripts/test fetches it";
    }
  }
};

TEST_P(OfficialSuiteTest, RequiredTestsHold) {
  const Tally tally = run_folder(GetParam(), "", {}, {});
  EXPECT_GT(tally.checked, 400U);
  EXPECT_LT(tally.refused, 25U);
}

TEST_P(OfficialSuiteTest, FormatsThatAreEnforcedHold) {
  // Not enforced: whatever the text, it is accepted.
  const std::set<std::string> left_out{"idn-email", "idn-hostname", "iri", "iri-reference", "uri-template"};
  const Tally tally = run_folder(GetParam(), "optional/format", left_out, {.formats = FormatRule::enforce});
  EXPECT_GT(tally.checked, 90U);
}

TEST_P(OfficialSuiteTest, OptionalTestsHold) {
  // Numbers past 64 bits never get through our JSON parser; content in strings is described only.
  const std::set<std::string> left_out{"bignum", "content"};
  const Tally tally = run_folder(GetParam(), "optional", left_out, {.formats = FormatRule::enforce});
  EXPECT_GT(tally.checked, 1U);
}

// What a schema refers to is put into its `$defs`, as our message asks for.
JsonObject with_remotes(const JsonObject& group, const Folder& folder) {
  JsonObject out = group;
  JsonObject& schema = out.at("schema").as_object();
  const bool is_draft7 = folder.path.ends_with("draft7");
  const char* shelf = is_draft7 ? "definitions" : "$defs";
  JsonObject& shelves = schema.emplace(shelf, JsonObject{}).first->value().as_object();
  const fs::path remotes = kSuite / *fs::path(folder.path).begin() / "remotes";
  for (const auto& entry : fs::recursive_directory_iterator(remotes)) {
    const std::string name = fs::relative(entry.path(), remotes).string();
    const bool of_draft = name.starts_with(fs::path(folder.path).filename().string() + "/");
    if (!entry.is_regular_file() || (!of_draft && name.starts_with("draft"))) continue;
    JsonValue remote = load(entry.path());
    if (!remote.is_object() || name.find("metaschema") != std::string::npos) continue;
    if (is_draft7 && remote.get_object().contains("$defs")) continue;  // of a later draft
    remote.get_object().emplace("$id", "http://localhost:1234/" + name);
    remote.get_object().erase("$schema");
    shelves.emplace(name, std::move(remote));
  }
  return out;
}

TEST_P(OfficialSuiteTest, SchemasThatReferToOthersHoldOnceTheseAreInside) {
  Tally tally;
  for (const std::string file : {"refRemote.json", "dynamicRef.json"}) {
    const fs::path path = kSuite / GetParam().path / file;
    if (!fs::exists(path)) continue;
    const JsonValue groups = load(path);
    for (const JsonValue& group : groups.as_array()) {
      if (!group.at("schema").is_object()) continue;
      const JsonObject whole = with_remotes(with_draft(group.as_object(), GetParam().draft), GetParam());
      run_group(path, whole, {}, tally);
    }
  }
  std::cout << GetParam().path << ": " << tally.checked << " instances checked, " << tally.refused
            << " schemas refused\n";
  EXPECT_GT(tally.checked, 10U);
  EXPECT_LE(tally.refused, 2U);  // two that are found at another address than the one they give themselves
}

INSTANTIATE_TEST_SUITE_P(Drafts, OfficialSuiteTest,
                         testing::Values(kDraft7Debian, kDraft7, kDraft2019, kDraft2020),
                         [](const testing::TestParamInfo<Folder>& folder) {
                           std::string name(folder.param.path);
                           std::erase_if(name, [](char c) { return c == '/' || c == '-'; });
                           return name;
                         });

}  // namespace
}  // namespace parley::inference::json_schema
