// parley-documents: reads files for the server, confined (confinement.h). Only the server starts it.
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "retrieval/documents/worker/serve.h"
#include "retrieval/documents/worker_protocol.h"

int main() {
  using parley::retrieval::documents::kWorkerSocket;
  if (::fcntl(kWorkerSocket, F_GETFD) < 0) {
    ::fputs("parley-documents reads documents for parley, which starts it by itself.\n", stderr);
    return 2;
  }
  // No destructors of libraries after the confinement: they may ask for what is not allowed any more.
  ::_exit(parley::retrieval::documents::worker::serve(kWorkerSocket));
}
