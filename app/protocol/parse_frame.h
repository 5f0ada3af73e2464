#pragma once
// Text of a client's frame to its typed form, once, with every field checked. A plain function, any thread;
// what is wrong with it is an ErrorFrame value.

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>

#include "app/protocol/frames.h"

namespace parley::app::protocol {

// `max_bytes`: see max_frame_bytes(). The error is ready to be sent: bad_frame (not JSON, too deep, a key
// twice), unknown_type, or invalid, which names the field. Its `re` is the frame's id where that is a UUID.
std::variant<ClientFrame, ErrorFrame> parse_frame(std::string_view text, std::size_t max_bytes);

// The id of a command.
const std::string& command_id(const ClientFrame& frame);

// The conversation that it is about; empty: none.
std::string command_conversation(const ClientFrame& frame);

}  // namespace parley::app::protocol
