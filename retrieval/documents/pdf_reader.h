#pragma once
// PDF: columns in reading order, paragraphs with broken words made whole, headings by the size of their
// print, tables as rows, running headers and page numbers left out; each block with its page and box. Pages
// that are pictures of text are named in Document::notes.
//
// Poppler is under the GPL: link this (target parley_retrieval_documents_office) only into the worker program
// and into tests. No state, any thread; hostile bytes end in a ReadFailure, or bring Poppler down.

#include <memory>

#include "retrieval/documents/document_reader.h"

namespace parley::retrieval::documents {

std::unique_ptr<DocumentReader> make_pdf_reader();

}  // namespace parley::retrieval::documents
