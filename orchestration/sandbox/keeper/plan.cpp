#include "orchestration/sandbox/keeper/plan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace parley::orchestration::sandbox::keeper {

namespace {

// The list's strings follow each other from `text`; moves `text` behind them.
char** string_list(char*& text, std::uint32_t count) {
  auto** list = static_cast<char**>(calloc(std::size_t{count} + 1, sizeof(char*)));
  if (list == nullptr) fail(Step::plan, ENOMEM);
  for (std::uint32_t i = 0; i < count; ++i) {
    list[i] = text;
    text += strlen(text) + 1;
  }
  return list;
}

}  // namespace

Plan read_plan() {
  struct stat status = {};
  if (fstat(plan_descriptor, &status) != 0) fail(Step::plan, errno);
  const auto size = static_cast<std::size_t>(status.st_size);
  void* bytes = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, plan_descriptor, 0);
  if (bytes == MAP_FAILED) fail(Step::plan, errno);
  Plan plan;
  plan.header = static_cast<const PlanHeader*>(bytes);
  char* text = static_cast<char*>(bytes) + sizeof(PlanHeader);
  plan.arguments = string_list(text, plan.header->num_arguments);
  plan.variables = string_list(text, plan.header->num_variables);
  plan.fence_arguments = string_list(text, plan.header->num_fence_arguments);
  plan.working_directory = text;
  text += strlen(text) + 1;
  plan.paths = string_list(text, plan.header->num_paths);
  plan.filter = text;
  return plan;
}

void report(const Report& report) {
  ssize_t written = 0;
  do {
    written = write(report_descriptor, &report, sizeof report);
  } while (written < 0 && errno == EINTR);
}

void fail(Step step, int error, std::size_t index) {
  report({Report::Kind::failed, step, error, static_cast<std::uint32_t>(index)});
  _exit(127);
}

}  // namespace parley::orchestration::sandbox::keeper
