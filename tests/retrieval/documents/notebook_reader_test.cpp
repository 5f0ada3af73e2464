#include <gtest/gtest.h>

#include <string>

#include "tests/retrieval/documents/document_checks.h"

namespace parley::retrieval::documents {

namespace {

TEST(NotebookReaderTest, CellsByTheirKind) {
  const std::string notebook = R"json({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [
    {"cell_type": "markdown", "source": ["# Title\n", "\n", "- one\n", "- two"]},
    {"cell_type": "code", "source": "x = 1\n\nprint(x)", "outputs": [
      {"output_type": "stream", "text": ["1\n"]},
      {"output_type": "display_data", "data": {"image/png": "aGVsbG8=", "text/plain": "<Figure>"}},
      {"output_type": "error", "evalue": "went wrong"}]},
    {"cell_type": "raw", "source": "as it is"}]})json";
  const Document document = read_document(notebook, "a.ipynb");
  EXPECT_EQ(document.title, "Title");
  EXPECT_EQ(described(document), (Lines{"h1 Title", "li1 - one", "li1 - two", "code x = 1//print(x)",
                                        "code 1", "code <Figure>", "code went wrong", "p as it is"}));
}

TEST(NotebookReaderTest, OldNotebooksHaveWorksheets) {
  const std::string notebook = R"json({"nbformat": 3, "worksheets": [{"cells": [
    {"cell_type": "heading", "level": 2, "source": "Part"},
    {"cell_type": "code", "input": ["y = 2"], "outputs": []}]}]})json";
  EXPECT_EQ(described(read_document(notebook, "a.ipynb")), (Lines{"h2 Part", "code y = 2"}));
}

TEST(NotebookReaderTest, WhatIsNoJsonIsDamaged) {
  EXPECT_EQ(read_failure("{\"nbformat\": 4, \"cells\": [", "a.ipynb").kind, ReadFailure::Kind::damaged);
  EXPECT_EQ(
      read_failure("{\"nbformat\": 4, \"cells\": " + std::string(5000, '[') + std::string(5000, ']') + "}",
                   "a.ipynb")
          .kind,
      ReadFailure::Kind::damaged);
  EXPECT_EQ(read_failure("{\"nbformat\": 4, \"cells\": []}", "a.ipynb").kind, ReadFailure::Kind::empty);
}

}  // namespace

}  // namespace parley::retrieval::documents
