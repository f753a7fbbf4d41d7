#include "backends/library/trace.h"

#include <algorithm>
#include <new>

#include "backends/library/values.h"

namespace plumb::library {

RunMetadata Trace::Finish() {
  MutexLock lock(mutex_);
  if (!fault_.ok()) throw Error(fault_);
  return std::move(taken_);
}

bool Trace::Take(const PlumbNodeStats* stats) {
  Status status;
  NodeStats node;
  std::string device;
  try {
    if (stats == nullptr) throw library_.Fault("null for the trace of a node");
    device = TakenText(library_, stats->device, "the device of a trace");
    node = {TakenText(library_, stats->node, "the node of a trace"),
            TakenText(library_, stats->op, "the op of a trace"),
            stats->scheduled_ns,
            stats->start_ns,
            stats->end_ns,
            stats->thread};
    if (node.scheduled_ns > node.start_ns || node.start_ns > node.end_ns) {
      throw library_.Fault("a trace in which '", node.node, "' was scheduled at ", node.scheduled_ns, ", began at ",
                           node.start_ns, " and ended at ", node.end_ns);
    }
  } catch (const Error& error) {
    status = error.status();
  } catch (const std::bad_alloc&) {
    status = Status(Code::kResourceExhausted, "out of memory");
  }
  MutexLock lock(mutex_);
  if (fault_.ok()) fault_ = status;
  if (!status.ok()) return false;
  auto& all = taken_.step_stats;
  auto place = std::find_if(all.begin(), all.end(), [&](const DeviceStats& known) { return known.device == device; });
  if (place == all.end()) place = all.insert(all.end(), DeviceStats{device, {}});
  place->nodes.push_back(std::move(node));
  return true;
}

}  // namespace plumb::library
