// The compiled steps of a session, by request (rule F31).
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "fastpath/execute/executor.h"
#include "spec/core/thread_annotations.h"

namespace plumb::fast {

class PlanCache {
 public:
  using Compiler = std::function<std::shared_ptr<StepRunner>()>;

  // What runs the steps of a request, made by `compile` on first use.
  std::shared_ptr<StepRunner> Get(std::span<const Feed> feeds, std::span<const std::string> fetches,
                                  std::span<const std::string> targets, const Compiler& compile);
  // Plans of an older graph are not used again; steps over them go on.
  void Clear();
  // All runners that are still alive, cached or held by callables.
  std::vector<std::shared_ptr<StepRunner>> Alive();
  // Adds one that is held elsewhere.
  void Track(const std::shared_ptr<StepRunner>& runner);

 private:
  Mutex mutex_;
  std::unordered_map<std::string, std::shared_ptr<StepRunner>> cached_ PLUMB_GUARDED_BY(mutex_);
  int64_t epoch_ PLUMB_GUARDED_BY(mutex_) = 0;  // counts Clear
  std::vector<std::weak_ptr<StepRunner>> made_ PLUMB_GUARDED_BY(mutex_);
};

}  // namespace plumb::fast
