#pragma once
// What a chat template does about reasoning: where it shows it, between which marks, and whether the
// beginning of an answer opens it. Pure function, any thread. Never fails.

#include "orchestration/prompt/probe_renderer.h"

namespace parley::orchestration::prompt {

// Fills in the fields about reasoning; the others must be known.
void probe_reasoning(const ProbeRenderer& renderer, TemplateCapabilities& can);

}  // namespace parley::orchestration::prompt
