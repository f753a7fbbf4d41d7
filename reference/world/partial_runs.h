// The steps of a session that run in pieces (rules P1–P5).
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "reference/step/program.h"
#include "reference/world/live_world.h"
#include "spec/core/thread_annotations.h"

namespace plumb::reference {

class PartialRuns {
 public:
  explicit PartialRuns(LiveWorld& world) : world_(world) {}

  // P1: starts a step that is fed `feeds` later. Gives its handle.
  std::string Begin(std::shared_ptr<const Graph> graph, const std::vector<std::string>& feeds,
                    const std::vector<std::string>& fetches, const std::vector<std::string>& targets,
                    const SessionOptions& options, KernelFinder find_kernel);
  // P2–P4.
  StepOutcome Run(const std::string& handle, const std::vector<ValueFeed>& feeds,
                  const std::vector<std::string>& fetches);

 private:
  struct Entry {
    StepId step = 0;
    std::shared_ptr<const Graph> graph;
    std::map<std::string, int> feed_slots;  // of those that are still to be fed
    std::map<std::string, size_t> fetches;  // of those that are still to be fetched
  };
  static void CheckComputable(const Entry& entry, const std::vector<ValueFeed>& feeds,
                              const std::vector<std::string>& fetches);

  LiveWorld& world_;
  Mutex mutex_;
  std::map<std::string, Entry> entries_ PLUMB_GUARDED_BY(mutex_);
  int64_t next_ PLUMB_GUARDED_BY(mutex_) = 1;
};

}  // namespace plumb::reference
