#pragma once
// The readers of text formats: decoded text in, a document out. Pure functions, any thread. They end as
// document_reader.h demands: by a Document or a ReadFailure.

#include <string>
#include <string_view>
#include <vector>

#include "retrieval/documents/block_writer.h"
#include "retrieval/documents/document_reader.h"
#include "retrieval/documents/text_decoding.h"

namespace parley::retrieval::documents {

struct TextInput {
  DecodedText decoded;
  std::string media_type;
};

using TextReader = ReadOutcome (*)(TextInput input, const ReadLimits& limits);

// The text stays as it is; original positions are those of the text.
ReadOutcome read_plain_text(TextInput input, const ReadLimits& limits);
ReadOutcome read_source_code(TextInput input, const ReadLimits& limits);
ReadOutcome read_markdown(TextInput input, const ReadLimits& limits);
ReadOutcome read_rst(TextInput input, const ReadLimits& limits);
ReadOutcome read_separated_values(TextInput input, const ReadLimits& limits);  // CSV, TSV
ReadOutcome read_json_lines(TextInput input, const ReadLimits& limits);
// The text stays, unless it is one long line or has escaped letters: then it is written anew, indented.
ReadOutcome read_json(TextInput input, const ReadLimits& limits);

// Markup is taken away; original positions say where each block was.
ReadOutcome read_pod(TextInput input, const ReadLimits& limits);
ReadOutcome read_man_page(TextInput input, const ReadLimits& limits);
ReadOutcome read_html(TextInput input, const ReadLimits& limits);
ReadOutcome read_notebook(TextInput input, const ReadLimits& limits);

// Mail is bytes: each part has a charset of its own.
ReadOutcome read_mail(const ReadInput& input, const ReadLimits& limits);
ReadOutcome read_mailbox(const ReadInput& input, const ReadLimits& limits);

// Parts of other formats.
std::vector<Block> plain_text_blocks(std::string_view text, const ReadLimits& limits);
std::vector<Block> markdown_blocks(std::string_view text, const ReadLimits& limits);
// Its title. A ReadFailure's reason in `failure` when it is nested beyond measure.
std::string write_html(BlockWriter& writer, const std::string& html, const ReadLimits& limits,
                       std::string& failure);

}  // namespace parley::retrieval::documents
