#pragma once
// What to say when a value is of none of several allowed forms: the complaints of the form that it was most
// likely meant to be. Used by the thread of the run.

#include <string_view>
#include <vector>

#include "inference/json_schema/run.h"

namespace parley::inference::json_schema {

// `failures` holds the violations of each form, in their order.
void report_failed_branches(std::string_view keyword, std::vector<std::vector<Violation>> failures, Run& run);

}  // namespace parley::inference::json_schema
