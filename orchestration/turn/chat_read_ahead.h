#pragma once
// Has the model read what the next question of a chat will begin with, its system text and its tools, before
// it is asked: as long as somebody has the chat open and tools are switched on in it. I/O thread. What goes
// wrong is a line of the log, since the question only waits longer then.

#include "orchestration/turn/hub_core.h"

namespace parley::orchestration::turn {

// Begins anew, since the chat, the tools or the model have changed.
void read_ahead(const CorePtr& core, const LivePtr& live);
void read_ahead_in_open_chats(const CorePtr& core);

// Somebody has the chat open as long as this lives.
class Watching {
 public:
  Watching(const CorePtr& core, LivePtr live);
  ~Watching();
  Watching(const Watching&) = delete;
  Watching& operator=(const Watching&) = delete;

 private:
  const LivePtr live_;  // shared with the hub, which may forget it earlier
};

}  // namespace parley::orchestration::turn
