#pragma once
// The worker program's life: hello, confinement, then file after file until the server hangs up. One thread.

namespace parley::retrieval::documents::worker {

// The program's exit status.
int serve(int socket);

}  // namespace parley::retrieval::documents::worker
