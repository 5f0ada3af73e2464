// Each reader of text formats gets a thousand broken inputs: every one ends by a document that keeps its
// promises or by a failure with a reason.
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "tests/fakes/mutator.h"
#include "tests/retrieval/documents/document_checks.h"

namespace parley::retrieval::documents {

namespace {

struct Seeds {
  const char* name;
  std::vector<std::string> texts;
};

const std::vector<Seeds> kSeeds = {
    {"a.txt",
     {"Title\n=====\n\nwords \xC3\xA9\n\n- a\n- b\n", std::string("w\0o\0r\0d\0s\0 \0\n\0", 14),
      "N\bNA\bA \x1B[1mx\x1B[0m"}},
    {"a.cpp", {"int a;\n\n  int b;\n"}},
    {"a.md",
     {"---\ntitle: x\n---\n# A\n\n- a\n  - b\n    ```\n    x\n    ```\n\n| a | b |\n|---|---|\n| 1 | 2 "
      "|\n\n> q\nq\n\n    code\n",
      "A\n===\n\n<!-- c -->\n<pre>\n\n</pre>\n***\n1. a\n\n   b\n"}},
    {"a.rst",
     {"=====\nTitle\n=====\n\nx::\n\n  y\n\n+---+\n| a |\n+===+\n| b |\n+---+\n\n== ==\na  b\n== ==\n1  "
      "2\n== ==\n\n.. code::\n\n   z\n"}},
    {"a.pod",
     {"=encoding utf8\n\n=head1 NAME\n\na - B<b I<c>> C<< d >> L<e|f/g> E<lt>\n\n=over\n\n=item "
      "*\n\nx\n\n=back\n\n  code\n\n=cut\n"}},
    {"a.1",
     {".TH A 1\n.SH NAME\na \\- \\fBb\\fR \\(co \\*(lq\\s-1x\\s0\n.TP\n.B \\-a\nb\n.nf\nx\n.fi\n.TS\nl "
      "l.\na\tb\n.TE\n.ie n \\{\\\nx\n.\\}\n.el y\n",
      ".Dd x\n.Dt A 1\n.Sh NAME\n.Nm a\n.Nd b\n.Bl -tag\n.It Fl a Ar b\n.Pq Xr c 1 .\n.El\n.Bd "
      "-literal\nx\n.Ed\n"}},
    {"a.html",
     {"<!DOCTYPE html><title>t</title><h1>a</h1><ul><li>b<li>c</ul><table><tr><th>d<tr><td>e</table><pre> "
      "f\n</pre><svg><path/></svg>",
      "<meta charset=utf-8><p>a<b>b<i>c</b>d</i><table><table><blockquote>&amp;&#x41;&nbsp;</blockquote>"}},
    {"a.csv", {"a,b\n\"c\nd\",2\n", "a;b\n1;2\n"}},
    {"a.json",
     {"{\"a\": [1, {}, \"\\u00e9\\ud83d\\ude00\"], \"b\": {\"c\": null}}",
      "[" + std::string(2100, '1') + "]"}},
    {"a.jsonl", {"{\"a\": 1}\n{\"b\": \"\\u00e9\"}\n"}},
    {"a.ipynb",
     {R"({"nbformat": 4, "cells": [{"cell_type": "markdown", "source": ["# a\n", "b"]}, {"cell_type": "code", "source": "c", "outputs": [{"text": "d"}]}]})"}},
    {"a.eml",
     {"From: a\r\nSubject: =?utf-8?Q?=C3=A9?= =?utf-8?B?4pyT?=\r\nMIME-Version: 1.0\r\nContent-Type: "
      "multipart/mixed; boundary=b\r\n\r\n--b\r\n"
      "Content-Type: text/plain; charset=latin1\r\nContent-Transfer-Encoding: "
      "quoted-printable\r\n\r\ncaf=E9\r\n--b\r\nContent-Type: "
      "text/html\r\nContent-Transfer-Encoding: base64\r\n\r\nPHA+eDwvcD4=\r\n--b\r\nContent-Type: "
      "message/rfc822\r\n\r\nSubject: c\r\n\r\nd\r\n--b--\r\n"}},
    {"a.mbox",
     {"From a@b Thu Mar  4 10:11:12 2004\nSubject: c\n\n>From d\n\nFrom e@f Thu Mar  4 10:11:12 "
      "2004\nSubject: g\n\nh\n"}},
    {"a.gz", {std::string("\x1F\x8B\x08\0\0\0\0\0\0\x03\x4B\x4C\x4A\x06\0\xC2\x41\x24\x35\x03\0\0\0", 23)}},
};

class MutatedDocumentsTest : public testing::TestWithParam<Seeds> {};

TEST_P(MutatedDocumentsTest, EndByADocumentOrAFailure) {
  tests::fakes::Mutator mutator(GetParam().texts, 20);
  const std::unique_ptr<DocumentReader> reader = make_document_reader();
  ReadLimits limits;
  limits.max_text_bytes = 1 << 20;
  limits.max_inflated_bytes = 1 << 20;
  std::size_t documents = 0;
  const std::size_t rounds = tests::fakes::fuzz_rounds(1000);
  for (std::size_t i = 0; i < rounds; ++i) {
    const std::string bytes = mutator.next();
    ReadInput input;
    input.bytes = bytes;
    input.file_name = GetParam().name;
    const auto begin = std::chrono::steady_clock::now();
    const ReadOutcome outcome = reader->read(input, limits);
    ASSERT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30)) << i;
    if (const auto* failure = std::get_if<ReadFailure>(&outcome)) {
      ASSERT_FALSE(failure->reason.empty()) << i;
      ASSERT_TRUE(is_valid_utf8(failure->reason)) << i;
      continue;
    }
    ASSERT_EQ(broken_promise(std::get<Document>(outcome)), "") << "round " << i << "\n" << bytes;
    ++documents;
  }
  const bool is_packed = std::string(GetParam().name) == "a.gz";  // most of those are damaged
  EXPECT_GE(documents, is_packed ? 1 : rounds / 10);
}

std::string seed_name(const testing::TestParamInfo<Seeds>& info) {
  return std::string(info.param.name).substr(2);
}

INSTANTIATE_TEST_SUITE_P(Readers, MutatedDocumentsTest, testing::ValuesIn(kSeeds), seed_name);

}  // namespace

}  // namespace parley::retrieval::documents
