# Office files, books, RTF and PDF: the sources of parley_retrieval_documents_office (CMakeLists.txt).
set(office_sources
  block_assembler.cpp
  docx_body.cpp
  docx_reader.cpp
  docx_styles.cpp
  epub_reader.cpp
  number_format.cpp
  odf_pages.cpp
  odf_reader.cpp
  odf_text.cpp
  opc_package.cpp
  pptx_reader.cpp
  pptx_slide.cpp
  rtf_charset.cpp
  rtf_document.cpp
  rtf_reader.cpp
  rtf_tokens.cpp
  sheet_rows.cpp
  table_rows.cpp
  unicode_text.cpp
  xhtml_blocks.cpp
  xhtml_tree.cpp
  xlsx_reader.cpp
  xlsx_sheet.cpp
  xml_tree.cpp
  zip_archive.cpp)
set(office_depends PkgConfig::LIBZIP PkgConfig::PUGIXML PkgConfig::GUMBO ICU::uc)

# Poppler is under the GPL: only the worker program and tests link it, never the server.
set(pdf_sources
  hyphenation.cpp
  page_blocks.cpp
  page_columns.cpp
  page_furniture.cpp
  page_layout.cpp
  page_tables.cpp
  pdf_reader.cpp
  pdf_source.cpp
  print_measures.cpp)
