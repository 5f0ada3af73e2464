#include "retrieval/index/text_units.h"

#include <gtest/gtest.h>

namespace parley::retrieval::index {
namespace {

using Words = std::vector<std::string>;

TextUnit only_unit(std::string_view text) {
  const std::vector<TextUnit> units = text_units(text);
  EXPECT_EQ(units.size(), 1u) << text;
  return units.empty() ? TextUnit{} : units[0];
}

TEST(TextUnits, SplitsAtWhatIsNoWord) {
  const std::vector<TextUnit> units = text_units("Don't panic -- it's 42!");
  Words words;
  for (const TextUnit& unit : units) words.push_back(unit.words[0]);
  EXPECT_EQ(words, (Words{"don", "t", "panic", "it", "s", "42"}));
  EXPECT_EQ(units[2].text, "panic");
  EXPECT_EQ(units[2].kind, UnitKind::word);
}

TEST(TextUnits, SplitsHumpsAndUnderscores) {
  EXPECT_EQ(only_unit("getUserName").parts, (Words{"get", "user", "name"}));
  EXPECT_EQ(only_unit("HTTPServer").parts, (Words{"http", "server"}));
  EXPECT_EQ(only_unit("MAX_FILE_BYTES").parts, (Words{"max", "file", "bytes"}));
  EXPECT_EQ(only_unit("base64Encode").parts, (Words{"base64", "encode"}));
  EXPECT_EQ(only_unit("getUserName").words, (Words{"getusername"}));
  EXPECT_EQ(only_unit("getUserName").kind, UnitKind::identifier);
  EXPECT_TRUE(only_unit("Name").parts.empty());
  EXPECT_TRUE(only_unit("_private").parts.empty() || only_unit("_private").parts == Words{"private"});
}

TEST(TextUnits, JoinsDottedNames) {
  const TextUnit unit = only_unit("os.path.joinAll");
  EXPECT_EQ(unit.words, (Words{"os", "path", "joinall"}));
  EXPECT_EQ(unit.parts, (Words{"os", "path", "join", "all"}));
  EXPECT_EQ(only_unit("File::Spec").words, (Words{"file", "spec"}));
  EXPECT_EQ(only_unit("3.11").kind, UnitKind::identifier);
  EXPECT_EQ(only_unit("end.").kind, UnitKind::word);
  EXPECT_EQ(text_units("a . b").size(), 2u);
  EXPECT_EQ(text_units("a:b").size(), 2u);
}

TEST(TextUnits, TakesPairsOfUnspacedScripts) {
  const TextUnit unit = only_unit("日本語");
  EXPECT_EQ(unit.kind, UnitKind::unspaced);
  EXPECT_EQ(unit.words, (Words{"日本", "本語"}));
  EXPECT_EQ(only_unit("語").words, (Words{"語"}));
  const std::vector<TextUnit> mixed = text_units("Python入門3");
  ASSERT_EQ(mixed.size(), 3u);
  EXPECT_EQ(mixed[0].words, (Words{"python"}));
  EXPECT_EQ(mixed[1].words, (Words{"入門"}));
}

TEST(TextUnits, IndexesTheLastCharacterOfARunAlone) {
  EXPECT_EQ(index_text("日本語 x").words, "日本 本語 語 x");
  EXPECT_EQ(index_text("語").words, "語");
  EXPECT_EQ(index_text("getName of os.path").words, "getname of os path");
  EXPECT_EQ(index_text("getName of os.path").parts, "get name");
  EXPECT_EQ(index_text("Hashes 日本語 os.path").forms, "hashes_ os_ path_");
}

TEST(TextUnits, BearsAnyBytes) {
  EXPECT_TRUE(text_units("").empty());
  EXPECT_TRUE(text_units("\xff\xfe \x80").empty());
  EXPECT_TRUE(text_units("___ - \xcc\x81").empty());
  EXPECT_EQ(text_units("caf\xc3\xa9\xff"
                       "bar")
                .size(),
            2u);
  EXPECT_LE(only_unit(std::string(100'000, 'a')).words[0].size(), 132u);
  EXPECT_EQ(only_unit(std::string(100'000, 'a')).text.size(), 100'000u);
}

}  // namespace
}  // namespace parley::retrieval::index
