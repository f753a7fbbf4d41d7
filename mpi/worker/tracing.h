// What a trace of a part says of nodes that wait.
#pragma once

#include "fastpath/compile/plan/plan.h"
#include "spec/session/session.h"

namespace plumb::dist {

// A node with an asynchronous kernel waits from scheduled_ns to start_ns, where it ends: others compute meanwhile, and
// it takes no thread.
void MarkWaits(const fast::Plan& plan, RunMetadata& metadata);

}  // namespace plumb::dist
