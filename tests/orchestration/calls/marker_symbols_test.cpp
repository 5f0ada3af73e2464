#include "orchestration/calls/marker_symbols.h"

#include <gtest/gtest.h>

namespace parley::orchestration::calls {
namespace {

// <a> is token 7, <q> token 8, a part of a longer marker token 9.
MarkerVocabulary vocabulary() {
  return {.id_of = [](std::string_view name) -> std::optional<TokenId> {
            if (name == "<a>") return 7;
            if (name == "<q>") return 8;
            return std::nullopt;
          },
          .is_special = [](TokenId id) { return id >= 7; }};
}

TEST(MarkerSymbols, ReplaceMarkersThatAreTokens) {
  MarkerSymbols symbols(vocabulary());
  const CallFormat format =
      symbols.resolve({.call_open = {"<a>", "<|DSML|invoke"}, .call_close = {"</a>"}, .dropped = {"<a>"}});
  EXPECT_EQ(format.call_open, (Markers{*symbols.symbol_of(7), "<|DSML|invoke"}));
  EXPECT_EQ(format.dropped.front(), format.call_open.front());
  EXPECT_EQ(format.call_close, Markers{"</a>"});
  EXPECT_TRUE(MarkerSymbols::is_symbol(format.call_open.front()));
  EXPECT_EQ(symbols.symbol_of(8), std::nullopt);
}

TEST(MarkerSymbols, AreSpelledOut) {
  MarkerSymbols symbols(vocabulary());
  symbols.resolve({.call_open = {"<a>"}, .quote = {"<q>"}});
  EXPECT_EQ(symbols.spelled("x" + *symbols.symbol_of(8) + *symbols.symbol_of(7) + "y"), "x<q><a>y");
}

TEST(MarkerSymbols, HideControlTokensThatAreNoPartOfAMarker) {
  MarkerSymbols symbols(vocabulary());
  symbols.resolve({.call_open = {"<|DSML|invoke"}});
  EXPECT_FALSE(symbols.is_hidden(9, "|DSML|"));
  EXPECT_TRUE(symbols.is_hidden(10, "<|end|>"));
  EXPECT_FALSE(symbols.is_hidden(1, "<|end|>"));
}

TEST(MarkerSymbols, AreNoneWithoutAVocabulary) {
  MarkerSymbols symbols{{}};
  EXPECT_EQ(symbols.resolve({.call_open = {"<a>"}}).call_open, Markers{"<a>"});
  EXPECT_EQ(symbols.symbol_of(0), std::nullopt);
  EXPECT_FALSE(symbols.is_hidden(7, "<a>"));
}

}  // namespace
}  // namespace parley::orchestration::calls
