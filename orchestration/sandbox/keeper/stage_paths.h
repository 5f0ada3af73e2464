#pragma once
// Binds the declared paths to places below kStagingFolder, named by their numbers, in a mount namespace of
// the keeper's own. Only root can and needs to: the user id that the fence is built with could not walk
// through /root or Parley's data folder to what was declared below. Ends the process with a report on
// failure.

#include "orchestration/sandbox/keeper/plan.h"

namespace parley::orchestration::sandbox::keeper {

void stage_paths(const Plan& plan);

}  // namespace parley::orchestration::sandbox::keeper
