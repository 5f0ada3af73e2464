#pragma once
// response_format and guided_regex of a chat request. A plain function, any thread; problems are noted in the
// reader.

#include "app/protocol/field_reader.h"
#include "inference/json/json.h"
#include "orchestration/turn/chat_model.h"

namespace parley::app::api {

orchestration::turn::OutputFormat read_output_format(protocol::FieldReader& fields);

}  // namespace parley::app::api
