#pragma once
// Finds out what a chat template can show by rendering some 30 small conversations with it and comparing what
// comes out; never by a model's name. Pure function, any thread. Never fails: to a template that
// refuses everything conversations are given as they are, and rendering will say what is wrong.

#include "orchestration/prompt/template_capabilities.h"
#include "orchestration/prompt/template_renderer.h"

namespace parley::orchestration::prompt {

TemplateCapabilities probe_template(const TemplateRenderer& renderer);

}  // namespace parley::orchestration::prompt
