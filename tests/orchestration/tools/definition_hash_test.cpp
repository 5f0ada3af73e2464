#include "orchestration/tools/definition_hash.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "orchestration/tools/sha256.h"

namespace parley::orchestration::tools {
namespace {

TEST(DefinitionHashTest, IsTheHashOfPartsWithTheirLengths) {
  EXPECT_EQ(DefinitionHash().add("ab").add("").hex(), sha256_hex("2:ab0:"));
  EXPECT_NE(DefinitionHash().add("ab").add("c").hex(), DefinitionHash().add("a").add("bc").hex());
  EXPECT_NE(DefinitionHash().add(std::vector<std::string>{"a", "b"}).hex(),
            DefinitionHash().add(std::vector<std::string>{"a"}).add("b").hex());
}

TEST(DefinitionHashTest, EveryPartOfADefinitionCounts) {
  const std::function<void(Launch&, ToolSpec&)> changes[] = {
      [](Launch&, ToolSpec&) {},
      [](Launch& l, ToolSpec&) { l.argv.emplace_back("x"); },
      [](Launch& l, ToolSpec&) { l.environment["A"] = "1"; },
      [](Launch& l, ToolSpec&) { l.environment["A"] = "2"; },
      [](Launch& l, ToolSpec&) { l.working_directory = "/a"; },
      [](Launch& l, ToolSpec&) { l.access.fence = sandbox::Fence::none; },
      [](Launch& l, ToolSpec&) { l.access.network = sandbox::Network::on; },
      [](Launch& l, ToolSpec&) { l.access.readable.emplace_back("/a"); },
      [](Launch& l, ToolSpec&) { l.access.writable.emplace_back("/a"); },
      [](Launch& l, ToolSpec&) { l.access.home = "/a"; },
      [](Launch&, ToolSpec& s) { s.name = "n"; },
      [](Launch&, ToolSpec& s) { s.description = "d"; },
      [](Launch&, ToolSpec& s) { s.parameters["type"] = "object"; },
      [](Launch&, ToolSpec& s) { s.source = "mcp:x"; },
  };
  std::set<std::string> hashes;
  for (const auto& change : changes) {
    Launch launch;
    ToolSpec spec;
    change(launch, spec);
    hashes.insert(DefinitionHash().add(spec).add(launch).hex());
  }
  EXPECT_EQ(hashes.size(), std::size(changes));
}

}  // namespace
}  // namespace parley::orchestration::tools
