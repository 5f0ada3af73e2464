#pragma once
// GET /calls/<call id>/images/<n>: pictures that tools gave, for the cards of their calls. Lives on the I/O
// thread; what is not there, or no picture that browsers show, is a 404. A broken store throws out of
// handle().

#include <memory>

#include "app/http/exchange.h"
#include "orchestration/turn/conversation_hub.h"

namespace parley::app::server {

// The hub outlives it.
std::unique_ptr<http::Handler> make_call_image_handler(orchestration::turn::ConversationHub& hub);

}  // namespace parley::app::server
