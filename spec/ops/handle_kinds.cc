#include "spec/ops/handle_kinds.h"

#include <algorithm>

#include "spec/core/status.h"
#include "spec/ops/equivalence.h"

namespace plumb {
namespace {

constexpr HandleKind kKinds[] = {
    {.name = "Accumulator", .is_on_host = true},
    {.name = "KeyedQueue", .is_on_host = true},
    {.name = "Mutex", .is_on_host = true},
    {.name = "Queue", .is_on_host = true},
    {.name = "Reader", .is_on_host = true},
    {.name = "Stack"},
    {.name = "Stub"},
    {.name = "SummaryWriter", .is_on_host = true},
    {.name = "Table", .is_on_host = true},
    {.name = "TensorArray"},
    {.name = "ThreadPool", .is_on_host = true},
    {.name = "Trees", .is_on_host = true},
    {.name = "Variable"},
};

}  // namespace

std::span<const HandleKind> HandleKinds() { return kKinds; }

bool LeadsToTheHost(const ArgDef& arg) {
  if (!LeadsSomewhere(arg)) return false;
  const auto* const found = std::find_if(std::begin(kKinds), std::end(kKinds),
                                         [&](const HandleKind& kind) { return kind.name == arg.handle; });
  if (found == std::end(kKinds)) throw Internal("no such kind of handle: ", arg.handle);
  return found->is_on_host;
}

}  // namespace plumb
