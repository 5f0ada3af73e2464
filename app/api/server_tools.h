#pragma once
// Tools of the server's own tools file that a chat request opts in to, an extension:
//   "parley": {"tools": true} or {"tools": ["name", …]}
// and, beside them, how calls are got: {"tool_mode": "raw", "lenient", "routed" or "constrained"}.
// Plain functions, any thread unless said; problems are noted in the reader or values.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/api/api_error.h"
#include "app/api/tool_definitions.h"
#include "app/protocol/field_reader.h"
#include "orchestration/turn/chat_model.h"
#include "orchestration/turn/tool_desk.h"

namespace parley::app::api {

struct ServerToolChoice {
  bool all = false;
  std::vector<std::string> names = {};
  orchestration::turn::ToolMode mode = orchestration::turn::ToolMode::usual;

  bool wanted() const { return all || !names.empty(); }
  bool may_include(std::string_view name) const;
};

ServerToolChoice read_server_tools(protocol::FieldReader& fields);

// Its word; empty: it has none.
std::string_view name_of(orchestration::turn::ToolMode mode);

// Tools have come from the file, or still may.
bool has_server_tools(const orchestration::turn::ToolDesk& desk);

// The desk's tools that may be chosen from: those that the operator's rules do not deny. Where all are
// wanted, only those that run without asking, since nobody can be asked, and that need no conversation. I/O
// thread.
ToolList available_tools(orchestration::turn::ToolDesk& desk, const ServerToolChoice& choice);

// Puts the chosen ones of `available` behind the client's tools. An error: a name that is not there, or that
// the client gave to a tool of its own, or a tool_choice that nothing can satisfy.
std::optional<ApiError> add_server_tools(orchestration::turn::ToolOffer& offer,
                                         const ServerToolChoice& choice, const ToolList& available);

// For a request that wants them from a server without any.
ApiError no_server_tools();

}  // namespace parley::app::api
