#pragma once
// Readers of office files, books and RTF. What each makes of its format is said beside its class. All keep
// the contract of DocumentReader: no state, any thread, hostile bytes end in a ReadFailure.

#include <memory>

#include "retrieval/documents/document_reader.h"

namespace parley::retrieval::documents {

// DOCX: headings by style or outline level, lists, tables, foot- and endnotes behind the paragraph that names
// them; deleted and hidden text and tables of contents are left out.
std::unique_ptr<DocumentReader> make_docx_reader();
// PPTX: a page per slide, titles as headings, bulleted text, tables, speaker notes.
std::unique_ptr<DocumentReader> make_pptx_reader();
// XLSX: a page per sheet, a block per row; numbers as their cell formats mean them (dates, percentages).
std::unique_ptr<DocumentReader> make_xlsx_reader();
// ODT, ODS and ODP: one reader for the three, what it is says the file.
std::unique_ptr<DocumentReader> make_odf_reader();
// EPUB: a page per chapter in reading order.
std::unique_ptr<DocumentReader> make_epub_reader();
std::unique_ptr<DocumentReader> make_rtf_reader();

}  // namespace parley::retrieval::documents
