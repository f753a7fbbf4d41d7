#include "fastpath/session/session_graph.h"

#include <algorithm>
#include <utility>

#include "fastpath/compile/placement/place.h"
#include "fastpath/compile/placement/resource_devices.h"
#include "spec/validate/kernel_types.h"

namespace plumb::fast {
namespace {

// V3: what Extend asks of the second and later graphs.
void MergeInto(GraphDef& whole, const GraphDef& added) {
  if (whole.nodes.empty()) {
    whole = added;
    return;
  }
  Require(whole.versions.producer == added.versions.producer, "Extend needs the producer version ",
          whole.versions.producer, " that the graph was made with, not ", added.versions.producer);
  whole.versions.min_consumer = std::max(whole.versions.min_consumer, added.versions.min_consumer);
  for (const int32_t bad : added.versions.bad_consumers) whole.versions.bad_consumers.push_back(bad);
  whole.nodes.insert(whole.nodes.end(), added.nodes.begin(), added.nodes.end());
  whole.library += added.library;  // messages concatenate: repeated fields merge
}

}  // namespace

bool SessionGraph::Extend(const GraphDef& added, const DeviceSet& devices, bool allow_soft_placement) {
  MutexLock lock(mutex_);
  if (added.nodes.empty() && graph_ == nullptr) return false;  // rule S1
  GraphDef whole = def_;
  MergeInto(whole, added);
  auto loaded = std::make_shared<Graph>(Graph::Load(whole));
  CheckKernelTypes(*loaded);
  CheckDeviceRequests(*loaded, devices, allow_soft_placement);
  PlaceResources(*loaded, graph_.get(), devices, allow_soft_placement);
  graph_ = std::move(loaded);
  def_ = std::move(whole);
  return true;
}

std::shared_ptr<const Graph> SessionGraph::Current() {
  MutexLock lock(mutex_);
  Require(graph_ != nullptr, "the session has no graph: call Extend first");  // rule S1
  return graph_;
}

}  // namespace plumb::fast
