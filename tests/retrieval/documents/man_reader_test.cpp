#include <gtest/gtest.h>

#include "retrieval/documents/mdoc_words.h"
#include "retrieval/documents/roff_escapes.h"
#include "tests/retrieval/documents/document_checks.h"

namespace parley::retrieval::documents {

namespace {

Lines man(const std::string& body) {
  return described(read_document(".TH FOO 1\n.SH NAME\n" + body, "foo.1"));
}

TEST(ManReaderTest, SectionsParagraphsAndItems) {
  EXPECT_EQ(man("foo \\- does \\fBthings\\fR\n.SH OPTIONS\nGiven as:\n.TP\n\\fB\\-a\\fR, "
                "\\fB\\-\\-all\\fR\nall of\nthem\n.IP \\(bu\none\n"
                ".PP\nThe\n.BR end (7)\n.I \"of it\"\n"),
            (Lines{"h1 NAME", "p foo - does things", "h1 OPTIONS", "p Given as:", "li1 -a, --all/all of them",
                   "li1 •/one", "p The end(7) of it"}));
  EXPECT_EQ(read_document(".TH FOO 1\n.SH NAME\nfoo\n", "foo.1").title, "FOO(1)");
}

TEST(ManReaderTest, ExamplesAreCode) {
  EXPECT_EQ(man("x\n.nf\nint a;\n\n  int b;\n.fi\ny\n.EX\nz\n.EE\n"),
            (Lines{"h1 NAME", "p x", "code int a;//  int b;", "p y", "code z"}));
}

TEST(ManReaderTest, TablesAreRows) {
  EXPECT_EQ(man(".TS\nallbox;\nl l.\nName\tUse\n_\na\tT{\nlong\ntext\nT}\nb\tshort\n.TE\n"),
            (Lines{"h1 NAME", "th Name | Use", "tr a | long text", "tr b | short"}));
}

TEST(ManReaderTest, WhatATerminalDoesNotShowIsLeftOut) {
  EXPECT_EQ(man(".de XX\nno\n..\n.ig\nno\n..\n.if t no\n.if n yes\n.ie \\n(.g .ds a here\n.el .ds a "
                "there\n.ie t \\{\\\nno\n.\\}\n.el \\{\\\n"
                "too\n.\\}\n\\*a\\\" comment\n.\\\" comment\none \\\nline\n"),
            (Lines{"h1 NAME", "p yes too here one line"}));
}

TEST(ManReaderTest, APageThatOnlyNamesAnotherSaysSo) {
  EXPECT_EQ(read_failure(".so man7/other.7\n", "this.7").reason,
            "It only says that its text is in man7/other.7.");
}

TEST(ManReaderTest, ATitleIsGoodTextEvenWhereAnEscapeCutsACharacter) {
  EXPECT_EQ(read_document(".TH A\\\xC3\xA9 1\n.SH NAME\nfoo\n", "foo.1").title, "A\uFFFD(1)");
  const std::string long_name(2000, 'x');
  EXPECT_EQ(read_document(".TH " + long_name + " 1\n.SH NAME\nfoo\n", "foo.1").title,
            long_name.substr(0, 500));
}

TEST(ManReaderTest, MdocPages) {
  EXPECT_EQ(
      described(read_document(
          ".Dd January 1, 2020\n.Dt FOO 1\n.Os\n.Sh NAME\n.Nm foo\n.Nd does things\n.Sh SYNOPSIS\n.Nm\n"
          ".Op Fl a\n.Ar file\n.Sh DESCRIPTION\nSee\n.Xr bar 3 .\n.Bl -tag\n.It Fl a Ns , Fl Fl all\nAll.\n"
          ".El\n.Bd -literal\nx = 1;\n.Ed\n",
          "foo.1")),
      (Lines{"h1 NAME", "p foo - does things", "h1 SYNOPSIS", "p foo [-a] file", "h1 DESCRIPTION",
             "p See bar(3).", "li1 -a, --all/All.", "code x = 1;"}));
}

TEST(RoffWordsTest, Escapes) {
  const RoffStrings strings = {{"R", "®"}, {"xx", "two"}};
  EXPECT_EQ(roff_words("a\\-b \\fIc\\fP\\f(CWd\\f[]e\\s-1f\\s0 \\(co\\[em]\\e \\*R\\*(xx\\&.", strings),
            "a-b cdef ©—\\ ®two.");
  EXPECT_EQ(roff_words("\\h'1m'x\\v'2'y\\w'abc'z \\(:a\\[u00E9]\\N'65' \\", strings), " xyz a\u0308é ");
  EXPECT_EQ(roff_words("words\\\" comment", strings), "words");
}

TEST(RoffArgumentsTest, QuotesAndEscapes) {
  EXPECT_EQ(roff_arguments(" a \"b c\" d\\ e \"f \"\"g\"\"\" \\\" no"),
            (Lines{"a", "b c", "d\\ e", "f \"g\""}));
}

TEST(MdocWordsTest, MacrosInALine) {
  EXPECT_EQ(mdoc_words({"Fl", "a", "Ar", "file", "..."}, ""), "-a file ...");
  EXPECT_EQ(mdoc_words({"Pq", "Xr", "foo", "1", "."}, ""), "(foo(1)).");
  EXPECT_EQ(mdoc_words({"Dq", "two", "words", ","}, ""), "“two words”,");
  EXPECT_EQ(mdoc_words({"Op", "Fl", "o", "Ns", "=", "Ns", "Ar", "x"}, ""), "[-o=x]");
  EXPECT_EQ(mdoc_words({"Fn", "open", "path", "flags"}, ""), "open(path, flags)");
  EXPECT_EQ(mdoc_words({"Nm"}, "foo"), "foo");
}

}  // namespace

}  // namespace parley::retrieval::documents
