#include "app/cli/command.h"

int main(int argc, char** argv) {
  return parley::app::cli::run_program(parley::app::cli::Arguments(argv + 1, argv + argc));
}
