#pragma once
// A model's summary for a terminal. Pure, any thread; never fails.

#include <string>

#include "inference/model/model_summary.h"

namespace parley::inference::model {

// Ends with a line break. Control characters of the file are escaped.
std::string to_text(const ModelSummary& summary);

}  // namespace parley::inference::model
