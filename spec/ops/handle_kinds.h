// What the handles of the rows lead to, by the name that a row gives it: `resource<Queue>`, `string<Reader>`.
#pragma once

#include <span>
#include <string_view>

#include "spec/ops/op_def.h"

namespace plumb {

struct HandleKind {
  std::string_view name;
  // It holds objects of the host, or makes its users wait: an op with such a handle runs on the host.
  bool is_on_host = false;
};

std::span<const HandleKind> HandleKinds();

// Whether the argument is a handle, and what it leads to stays on the host. Throws kInternal for a kind that is not in
// HandleKinds().
bool LeadsToTheHost(const ArgDef& arg);

}  // namespace plumb
