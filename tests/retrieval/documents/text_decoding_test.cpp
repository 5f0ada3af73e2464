#include "retrieval/documents/text_decoding.h"

#include <gtest/gtest.h>
#include <unicode/ucnv.h>

#include <string>
#include <variant>

#include "retrieval/documents/charset.h"

namespace parley::retrieval::documents {

namespace {

using namespace std::string_literals;

DecodedText decoded_text(const std::string& bytes, const std::string& declared = "") {
  Decoding decoding = decode_text(bytes, declared, {});
  if (const auto* failure = std::get_if<ReadFailure>(&decoding)) {
    ADD_FAILURE() << failure->reason;
    return {};
  }
  return std::get<DecodedText>(std::move(decoding));
}

// By ICU, from UTF-8.
std::string in_charset(const std::string& utf8, const char* charset) {
  UErrorCode error = U_ZERO_ERROR;
  std::string bytes(utf8.size() * 4 + 16, '\0');
  const auto size = ucnv_convert(charset, "UTF-8", bytes.data(), static_cast<int32_t>(bytes.size()),
                                 utf8.data(), static_cast<int32_t>(utf8.size()), &error);
  EXPECT_TRUE(U_SUCCESS(error)) << charset;
  bytes.resize(static_cast<std::size_t>(size));
  return bytes;
}

const std::string kGerman =
    "Die Straße führt über die Brücke. Größe, Äpfel und schöne Öfen.\nZweite Zeile.\n";
const std::string kRussian =
    "Это обычный русский текст, в котором несколько предложений. Он нужен для проверки.\n";
const std::string kJapanese =
    "これは日本語の文章です。文字コードを判定するための例です。\n二行目もあります。\n";
const std::string kGreek = "Αυτό είναι ένα απλό κείμενο στα ελληνικά, για να δούμε αν αναγνωρίζεται.\n";

TEST(TextDecodingTest, Utf8IsRecognisedByBeingValid) {
  EXPECT_EQ(decoded_text(kJapanese).encoding, "UTF-8");
  EXPECT_EQ(decoded_text(kJapanese).text, kJapanese);
  EXPECT_EQ(decoded_text("plain").encoding, "UTF-8");
}

TEST(TextDecodingTest, ByteOrderMarksDecide) {
  for (const char* charset : {"UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE"}) {
    const DecodedText text = decoded_text(in_charset("\uFEFF" + kJapanese + "\U0001F600", charset));
    EXPECT_EQ(text.encoding, charset);
    EXPECT_EQ(text.text, kJapanese + "\U0001F600");
  }
  EXPECT_EQ(decoded_text("\xEF\xBB\xBFwords").text, "words");
}

TEST(TextDecodingTest, WideTextWithoutAMarkIsRecognised) {
  for (const std::string& text : {kGerman, kRussian, kJapanese, "short\n"s}) {
    for (const char* charset : {"UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE"}) {
      const DecodedText decoded = decoded_text(in_charset(text, charset));
      EXPECT_EQ(decoded.encoding, charset) << text;
      EXPECT_EQ(decoded.text, text);
    }
  }
}

TEST(TextDecodingTest, ADeclaredCharsetIsUsed) {
  EXPECT_EQ(decoded_text(in_charset(kRussian, "KOI8-R"), "koi8-r").text, kRussian);
  EXPECT_EQ(decoded_text(in_charset(kJapanese, "EUC-JP"), "EUC-JP").text, kJapanese);
  EXPECT_EQ(decoded_text(in_charset(kGerman, "ISO-8859-1"), "latin1").text, kGerman);
  // Browsers read latin1 as windows-1252: 0x80 is the euro.
  EXPECT_EQ(decoded_text("5 \x80", "ISO-8859-1").text, "5 €");
}

TEST(TextDecodingTest, ADeclaredCharsetThatTheBytesContradictIsNone) {
  EXPECT_EQ(decoded_text(in_charset(kGerman, "windows-1252"), "UTF-8").text, kGerman);
  EXPECT_EQ(decoded_text("plain words", "UTF-16").text, "plain words");
  EXPECT_EQ(decoded_text("plain words", "klingon").text, "plain words");
}

TEST(TextDecodingTest, OtherwiseItIsGuessed) {
  EXPECT_EQ(decoded_text(in_charset(kGerman, "windows-1252")).text, kGerman);
  EXPECT_EQ(decoded_text(in_charset(kRussian, "windows-1251")).text, kRussian);
  EXPECT_EQ(decoded_text(in_charset(kRussian, "KOI8-R")).text, kRussian);
  EXPECT_EQ(decoded_text(in_charset(kJapanese, "Shift_JIS")).text, kJapanese);
  EXPECT_EQ(decoded_text(in_charset(kJapanese, "EUC-JP")).text, kJapanese);
  EXPECT_EQ(decoded_text(in_charset(kJapanese, "ISO-2022-JP")).text, kJapanese);
  EXPECT_EQ(decoded_text(in_charset(kGreek, "windows-1253")).text, kGreek);
}

TEST(TextDecodingTest, LettersBehindMuchAsciiAreSeen) {
  const std::string ascii(100'000, 'a');
  EXPECT_EQ(decoded_text(ascii + "\n" + in_charset(kRussian, "windows-1251")).text, ascii + "\n" + kRussian);
}

TEST(TextDecodingTest, AFewBrokenBytesDoNotMakeItSomethingElse) {
  EXPECT_EQ(decoded_text(kRussian + "\xFF").encoding, "UTF-8");
  EXPECT_EQ(decoded_text(kRussian + "\xFF").text, kRussian + "\uFFFD");
}

TEST(TextDecodingTest, LineEndsAndControlsArePutInOrder) {
  EXPECT_EQ(decoded_text("a\r\nb\rc\n\rd").text, "a\nb\nc\n\nd");
  EXPECT_EQ(decoded_text("a\fb\x01"s + std::string(1, '\0') + "c").text, "a\nbc");
  EXPECT_EQ(decoded_text("N\bNA\bAM_\bE").text, "NAME");  // nroff
  EXPECT_EQ(decoded_text("\x1B[1;31mred\x1B[0m").text, "red");
  EXPECT_EQ(decoded_text("a\u0085b\u00A0c").text, "a\nb\u00A0c");
}

TEST(TextDecodingTest, BytesThatAreNoTextAreRefused) {
  std::string bytes;
  for (int i = 0; i < 4096; ++i) bytes += static_cast<char>(i * 7919 % 256);
  const Decoding decoding = decode_text(bytes, "", {});
  ASSERT_TRUE(std::holds_alternative<ReadFailure>(decoding));
  EXPECT_EQ(std::get<ReadFailure>(decoding).kind, ReadFailure::Kind::unsupported);
}

TEST(TextDecodingTest, TooMuchTextIsOverTheLimit) {
  ReadLimits limits;
  limits.max_text_bytes = 10;
  const Decoding decoding = decode_text("eleven byte", "", limits);
  ASSERT_TRUE(std::holds_alternative<ReadFailure>(decoding));
  EXPECT_EQ(std::get<ReadFailure>(decoding).kind, ReadFailure::Kind::over_limit);
  EXPECT_TRUE(std::holds_alternative<DecodedText>(decode_text("ten bytes.", "", limits)));
}

TEST(DeclaredCharsetTest, IsFoundWhereFormatsPutIt) {
  EXPECT_EQ(declared_charset_of("<?xml version='1.0' encoding=\"ISO-8859-2\"?><a/>"), "iso-8859-2");
  EXPECT_EQ(declared_charset_of("<html><head><META charset=Shift_JIS>"), "shift_jis");
  EXPECT_EQ(declared_charset_of("<meta http-equiv='Content-Type' content='text/html; charset=koi8-r'>"),
            "koi8-r");
  EXPECT_EQ(declared_charset_of("#!/usr/bin/python\n# -*- coding: latin-1 -*-\n"), "latin-1");
  EXPECT_EQ(declared_charset_of("# vim: set fileencoding=cp1251 :\n"), "cp1251");
  EXPECT_EQ(declared_charset_of("'\\\" t -*- coding: UTF-8-unix -*-\n"), "utf-8");
  EXPECT_EQ(declared_charset_of("=pod\n\n=encoding utf8\n\n=head1 A\n"), "utf8");
  EXPECT_EQ(declared_charset_of("a\nb\nencoding: third line\n"), "");
}

TEST(CharsetTest, NamesAreTheOnesOfBrowsersAndNothingStrangeIsRead) {
  EXPECT_EQ(canonical_charset("utf8"), "UTF-8");
  EXPECT_EQ(canonical_charset("Latin1"), "windows-1252");
  EXPECT_EQ(canonical_charset("ISO_8859-1"), "windows-1252");
  EXPECT_EQ(canonical_charset("euc-kr"), "windows-949");
  EXPECT_EQ(canonical_charset("UTF-7"), "");
  EXPECT_EQ(canonical_charset("ibm037"), "");
  EXPECT_EQ(canonical_charset("x\" y"), "");
}

}  // namespace

}  // namespace parley::retrieval::documents
