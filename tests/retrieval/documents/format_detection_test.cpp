#include "retrieval/documents/format_detection.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "tests/retrieval/documents/document_checks.h"

namespace parley::retrieval::documents {

namespace {

using namespace std::string_literals;
using Kind = ReadFailure::Kind;

// A stored ZIP entry and its line in the directory.
std::string zip_of(const std::vector<std::pair<std::string, std::string>>& entries) {
  const auto number = [](std::size_t value, int bytes) {
    std::string text;
    for (int i = 0; i < bytes; ++i, value >>= 8) text += static_cast<char>(value & 0xFF);
    return text;
  };
  std::string archive, directory;
  for (const auto& [name, content] : entries) {
    const std::string sizes =
        number(0, 4) + number(content.size(), 4) + number(content.size(), 4) + number(name.size(), 2);
    directory += "PK\x01\x02" + number(20, 2) + number(20, 2) + number(0, 8) + sizes + number(0, 12) +
                 number(archive.size(), 4) + name;
    archive += "PK\x03\x04" + number(20, 2) + number(0, 8) + sizes + number(0, 2) + name + content;
  }
  return archive + directory + "PK\x05\x06" + number(0, 4) + number(entries.size(), 2) +
         number(entries.size(), 2) + number(directory.size(), 4) + number(archive.size(), 4) + number(0, 2);
}

TEST(FormatDetectionTest, BinaryFormatsAreKnownByTheirContentsWhateverTheirName) {
  EXPECT_EQ(detect_binary_format("%PDF-1.7\n").format, Format::pdf);
  EXPECT_EQ(detect_binary_format("junk\n%PDF-1.4\n\0"s).format, Format::pdf);
  EXPECT_EQ(detect_binary_format("{\\rtf1\\ansi").format, Format::rtf);
  EXPECT_EQ(detect_binary_format("\x1F\x8B\x08").format, Format::gzip);
  EXPECT_EQ(detect_binary_format("BZh91AY&SY").format, Format::bzip2);
  EXPECT_EQ(detect_binary_format("\xFD\x37zXZ\0\0"s).format, Format::xz);
  EXPECT_EQ(detect_binary_format("plain words").media_type, "");
}

TEST(FormatDetectionTest, ZipArchivesAreKnownByTheirEntries) {
  const auto format = [](const std::vector<std::pair<std::string, std::string>>& entries) {
    return detect_binary_format(zip_of(entries)).format;
  };
  EXPECT_EQ(format({{"[Content_Types].xml", "<x/>"}, {"word/document.xml", "<x/>"}}), Format::docx);
  EXPECT_EQ(format({{"[Content_Types].xml", "<x/>"}, {"ppt/presentation.xml", "<x/>"}}), Format::pptx);
  EXPECT_EQ(format({{"[Content_Types].xml", "<x/>"}, {"xl/workbook.xml", "<x/>"}}), Format::xlsx);
  EXPECT_EQ(format({{"mimetype", "application/vnd.oasis.opendocument.text"}, {"content.xml", "<x/>"}}),
            Format::odf);
  EXPECT_EQ(format({{"mimetype", "application/epub+zip"}, {"a.xhtml", "<x/>"}}), Format::epub);
  EXPECT_EQ(format({{"a.txt", "word/document.xml"}, {"b.txt", "b"}}), Format::refused);
}

TEST(FormatDetectionTest, AZipArchiveThatIsCutOffIsKnownByWhatIsThere) {
  const std::string whole =
      zip_of({{"[Content_Types].xml", "<x/>"}, {"word/document.xml", std::string(500, 'x')}});
  EXPECT_EQ(detect_binary_format(whole.substr(0, 300)).format, Format::docx);
  // A directory that is said to be beyond the end.
  std::string forged = whole;
  forged[forged.size() - 3] = '\x7F';
  EXPECT_EQ(detect_binary_format(forged).format, Format::docx);
}

TEST(FormatDetectionTest, WhatHasNoTextSaysWhatItIs) {
  EXPECT_EQ(read_failure("\x89PNG\r\n\x1A\n", "a.txt").reason,
            "It is a picture: there is no text in it to read.");
  EXPECT_EQ(read_failure("\x7F"
                         "ELF\x02\x01",
                         "tool")
                .reason,
            "It is a program or a library: there is no text in it to read.");
  EXPECT_EQ(read_failure("<?xml version='1.0'?>\n<svg xmlns='x'><path/></svg>", "a.svg").kind,
            Kind::unsupported);
  EXPECT_EQ(read_failure(zip_of({{"a.txt", "a"}, {"b.txt", "b"}}), "a.zip").reason,
            "It is an archive of many files: unpack it to have them read.");
  EXPECT_EQ(read_failure("", "a.txt").kind, Kind::empty);
  EXPECT_EQ(read_failure(" \n\t\n", "a.txt").kind, Kind::empty);
}

TEST(FormatDetectionTest, WordsThatAreAlsoMarksAreText) {
  EXPECT_EQ(read_document("OTTO was a king.\n", "a.txt").text, "OTTO was a king.\n");
  EXPECT_EQ(read_document("RIFF: a short melody\n", "a.txt").media_type, "text/plain");
}

TEST(FormatDetectionTest, TextFormatsByContentThenByName) {
  const auto type = [](const std::string& text, const std::string& name) {
    return read_document(text, name).media_type;
  };
  EXPECT_EQ(type("<!DOCTYPE html><p>a", "page.txt"), "text/html");
  EXPECT_EQ(type("<?xml version='1.0'?>\n<!-- c -->\n<html><p>a</p></html>", "page"), "text/html");
  EXPECT_EQ(type("a < b <html>", "page.txt"), "text/plain");
  EXPECT_EQ(type(".\\\" comment\n.TH LS 1\n.SH NAME\nls\n", "page"), "text/troff");
  EXPECT_EQ(type("# a\n", "README.md"), "text/markdown");
  EXPECT_EQ(type("# a\n", "README.MD"), "text/markdown");
  EXPECT_EQ(type("a\n=\n", "index.rst.txt"), "text/x-rst");
  EXPECT_EQ(type("=head1 NAME\n\nfoo\n", "foo.pod"), "text/x-pod");
  EXPECT_EQ(type("package Foo;\n\n=head1 NAME\n\nfoo\n", "Foo.pm"), "text/x-pod");
  EXPECT_EQ(type("package Foo;\n1;\n", "Foo.pm"), "text/x-perl");
  EXPECT_EQ(type("int main() {}\n", "a.cpp"), "text/x-c++");
  EXPECT_EQ(type("all:\n\ttrue\n", "Makefile"), "text/x-build");
  EXPECT_EQ(type("#!/bin/sh\ntrue\n", "configure"), "text/x-script");
  EXPECT_EQ(type("{\"a\": 1}", "data"), "application/json");
  EXPECT_EQ(type("{\"a\": 1}", "data.txt"), "text/plain");
  EXPECT_EQ(type("{\"a\": 1}\n{\"a\": 2}\n", "data.jsonl"), "application/jsonl");
  EXPECT_EQ(type("a,b\n1,2\n", "data.csv"), "text/csv");
  EXPECT_EQ(type("From: a@b\nSubject: c\n\nwords\n", "m.eml"), "message/rfc822");
  EXPECT_EQ(type("From: a@b\nTo: d@e\nSubject: c\nDate: now\n\nwords\n", "17"), "message/rfc822");
  EXPECT_EQ(type("From a@b Thu Mar  4 10:11:12 2004\nSubject: c\n\nwords\n", "inbox"), "application/mbox");
  EXPECT_EQ(type("From here on: nothing\nis mail\n", "a.txt"), "text/plain");
  EXPECT_EQ(type("Package: foo\nSubject: x\nDate: y\nno header\n", "control"), "text/plain");
}

TEST(FormatDetectionTest, AFileLargerThanAllowedIsNotLookedAt) {
  ReadLimits limits;
  limits.max_file_bytes = 3;
  EXPECT_EQ(read_failure("four", "a.txt", limits).kind, Kind::over_limit);
}

}  // namespace

}  // namespace parley::retrieval::documents
