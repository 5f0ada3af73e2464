#pragma once
// Whether tools may run on a server that is reached in this way: they act with the rights of whoever started
// it. A pure function, any thread; never fails.

#include <string>

#include "app/config/config.h"

namespace parley::app::cli {

// Why tools stay off, and how to have them: a clause for the log. Empty: only this machine can ask, as far as
// the configuration tells, or everybody has to bring the access key.
std::string why_tools_are_off(const config::Config& config);

}  // namespace parley::app::cli
