#include <string>
#include <utility>

#include "retrieval/documents/block_assembler.h"
#include "retrieval/documents/format_error.h"
#include "retrieval/documents/office_readers.h"
#include "retrieval/documents/opc_package.h"
#include "retrieval/documents/xlsx_sheet.h"

namespace parley::retrieval::documents {
namespace {

class XlsxReader final : public DocumentReader {
 public:
  ReadOutcome read(const ReadInput& input, const ReadLimits& limits) const override {
    return read_or_fail([&] { return read_xlsx(input.bytes, limits); });
  }

 private:
  static ReadOutcome read_xlsx(std::string_view bytes, const ReadLimits& limits);
};

XlsxWorkbook read_workbook_parts(OpcPackage& package,
                                 const std::map<std::string, Relationship>& relationships, XmlNode workbook,
                                 const ReadLimits& limits) {
  XlsxWorkbook shared;
  const std::string strings = target_of_type(relationships, "sharedStrings");
  if (package.contains(strings)) {
    shared.shared_strings = read_shared_strings(package.read_xml(strings).root(), limits.max_text_bytes);
  }
  const std::string styles = target_of_type(relationships, "styles");
  if (package.contains(styles)) {
    shared.meanings = read_number_meanings(package.read_xml(styles).root());
  }
  const std::string_view is_1904 = workbook.child("workbookPr").attribute("date1904");
  shared.date_system = is_1904 == "1" || is_1904 == "true" ? DateSystem::from_1904 : DateSystem::from_1900;
  return shared;
}

ReadOutcome XlsxReader::read_xlsx(std::string_view bytes, const ReadLimits& limits) {
  OpcPackage package(bytes, limits);
  const std::string main_part = package.main_part("xl/workbook.xml");
  const auto relationships = package.relationships(main_part);
  const XmlTree workbook = package.read_xml(main_part);
  const XlsxWorkbook shared = read_workbook_parts(package, relationships, workbook.root(), limits);
  BlockAssembler out(limits, "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet");
  out.set_title(package.title());
  for (const XmlNode sheet : workbook.root().child("sheets")) {
    const auto found = relationships.find(std::string(sheet.attribute("r:id")));
    if (sheet.name() != "sheet" || found == relationships.end() || found->second.type != "worksheet") {
      continue;  // sheets of charts and macros have no cells
    }
    out.begin_page(sheet.attribute("name"));
    if (!package.contains(found->second.target)) {
      out.add_note("the sheet is missing in the file");
      continue;
    }
    SheetRows rows;
    {
      const XmlTree tree = package.read_xml(found->second.target);
      rows = XlsxSheet(shared, limits.max_text_bytes).read(tree.root());
    }
    if (!rows.empty()) {
      out.add(BlockKind::heading, sheet.attribute("name"), 1);
    }
    rows.write(out);
  }
  return out.take();
}

}  // namespace

std::unique_ptr<DocumentReader> make_xlsx_reader() { return std::make_unique<XlsxReader>(); }

}  // namespace parley::retrieval::documents
