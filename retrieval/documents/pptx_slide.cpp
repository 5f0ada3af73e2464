#include "retrieval/documents/pptx_slide.h"

#include <algorithm>
#include <map>
#include <vector>

#include "retrieval/documents/table_rows.h"
#include "retrieval/documents/text_budget.h"
#include "retrieval/documents/unicode_text.h"

namespace parley::retrieval::documents {
namespace {

constexpr float kEmuPerPoint = 12700;

XmlNode placeholder(XmlNode shape) {
  for (const XmlNode node : shape) {
    if (node.name().starts_with("nv")) {  // nvSpPr, nvGraphicFramePr, …
      return node.child("nvPr").child("ph");
    }
  }
  return {};
}

bool is_title_shape(XmlNode shape) {
  const std::string_view type = placeholder(shape).attribute("type");
  return type == "title" || type == "ctrTitle";
}

// Date, footer and number stand on every slide.
bool is_slide_furniture(XmlNode shape) {
  const std::string_view type = placeholder(shape).attribute("type");
  return type == "dt" || type == "ftr" || type == "sldNum" || type == "hdr";
}

Box shape_box(XmlNode shape) {
  const XmlNode properties = shape.child("spPr");
  const XmlNode frame = properties ? properties.child("xfrm") : shape.child("xfrm");
  const XmlNode offset = frame.child("off"), extent = frame.child("ext");
  if (!offset || !extent || shape.parent().name() == "grpSp") {
    return {};  // inside a group coordinates are the group's own
  }
  Box box;
  box.left = static_cast<float>(offset.attribute_int("x", 0)) / kEmuPerPoint;
  box.top = static_cast<float>(offset.attribute_int("y", 0)) / kEmuPerPoint;
  box.right = box.left + static_cast<float>(extent.attribute_int("cx", 0)) / kEmuPerPoint;
  box.bottom = box.top + static_cast<float>(extent.attribute_int("cy", 0)) / kEmuPerPoint;
  return box;
}

std::string drawing_text(XmlNode paragraph) {
  std::string text;
  for (const XmlNode node : paragraph) {
    if (node.name() == "r" || node.name() == "fld") {
      text += node.child("t").all_text();
    } else if (node.name() == "br") {
      text += '\n';
    } else if (node.name() == "m" || node.name() == "AlternateContent") {
      text += node.all_text();  // a formula
    }
  }
  return text;
}

std::string body_text(XmlNode body) {
  std::string text;
  for (const XmlNode paragraph : body) {
    if (paragraph.name() == "p") {
      text += drawing_text(paragraph) + "\n";
    }
  }
  return text;
}

// Body placeholders have bullets unless told otherwise, other shapes have none.
bool has_bullet(XmlNode properties, bool is_bulleted) {
  if (properties.child("buNone")) {
    return false;
  }
  return is_bulleted || properties.child("buChar") || properties.child("buAutoNum");
}

}  // namespace

void PptxSlide::read(XmlNode slide) {
  const XmlNode tree = slide.child("cSld").child("spTree");
  read_title(tree);
  read_shapes(tree);
}

void PptxSlide::read_title(XmlNode tree) {
  for (const XmlNode shape : tree) {
    if (shape.name() == "sp" && is_title_shape(shape)) {
      title_shape_ = shape;
      title_ = cleaned_text(body_text(shape.child("txBody")), Spacing::collapse);
      std::replace(title_.begin(), title_.end(), '\n', ' ');
      out_.add(BlockKind::heading, title_, 1, shape_box(shape));
      return;
    }
  }
}

void PptxSlide::read_shapes(XmlNode tree) {
  for (const XmlNode shape : tree) {
    read_shape(shape);
  }
}

void PptxSlide::read_shape(XmlNode shape) {
  const std::string_view name = shape.name();
  if (shape == title_shape_ || is_slide_furniture(shape)) {
    return;
  }
  if (name == "grpSp") {
    read_shapes(shape);
  } else if (name == "AlternateContent") {
    const XmlNode choice = shape.child("Choice");
    read_shapes(choice ? choice : shape.child("Fallback"));
  } else if (name == "pic") {
    ++num_pictures_;
  } else if (name == "graphicFrame") {
    read_table(shape.child("graphic").child("graphicData").child("tbl"), shape_box(shape));
  } else if (name == "sp") {
    const XmlNode place = placeholder(shape);
    const std::string_view type = place.attribute("type");
    const bool is_bulleted = place && (type.empty() || type == "body" || type == "obj");
    read_text(shape.child("txBody"), is_bulleted, shape_box(shape));
  }
}

void PptxSlide::read_text(XmlNode body, bool is_bulleted, const Box& box) {
  for (const XmlNode paragraph : body) {
    if (paragraph.name() != "p") {
      continue;
    }
    const XmlNode properties = paragraph.child("pPr");
    if (has_bullet(properties, is_bulleted)) {
      const int level = std::clamp(properties.attribute_int("lvl", 0), 0, 8) + 1;
      out_.add(BlockKind::list_item, drawing_text(paragraph), level, box);
    } else {
      out_.add(BlockKind::paragraph, drawing_text(paragraph), 0, box);
    }
  }
}

void PptxSlide::read_table(XmlNode table, const Box& box) {
  TableRows rows;
  TextBudget budget(out_.max_text_bytes());
  std::map<int, std::string> merged;  // by column: the text that runs on into the rows below
  const bool first_names_columns = table.child("tblPr").attribute("firstRow") == "1";
  for (const XmlNode row : table) {
    if (row.name() != "tr") {
      continue;
    }
    std::vector<std::string> cells;
    int column = 0;
    for (const XmlNode cell : row) {
      if (cell.name() != "tc") {
        continue;
      }
      std::string text = body_text(cell.child("txBody"));
      if (cell.attribute("vMerge") == "1") {
        budget.take(merged[column].size());
        text = merged[column];
      } else if (!cell.attribute("rowSpan").empty()) {
        merged[column] = text;
      }
      if (cell.attribute("hMerge") != "1") {
        cells.push_back(std::move(text));
      }
      ++column;
    }
    const bool is_header = first_names_columns && rows.empty();
    rows.add(std::move(cells), is_header ? TableRows::Header::yes : TableRows::Header::no, box);
  }
  rows.write(out_);
}

void PptxSlide::read_notes(XmlNode notes) {
  for (const XmlNode shape : notes.child("cSld").child("spTree")) {
    if (shape.name() == "sp" && placeholder(shape).attribute("type") == "body") {
      for (const XmlNode paragraph : shape.child("txBody")) {
        if (paragraph.name() == "p") {
          out_.add(BlockKind::paragraph, drawing_text(paragraph));
        }
      }
    }
  }
}

}  // namespace parley::retrieval::documents
