#include "fastpath/session/partial_runs.h"

#include <utility>

namespace plumb::fast {

std::string PartialRuns::Add(std::shared_ptr<StepInPieces> run) {
  MutexLock lock(mutex_);
  const std::string handle = Str("step in pieces ", ++made_);
  runs_.emplace(handle, std::move(run));
  return handle;
}

Status PartialRuns::Run(const std::string& handle, std::span<const Feed> feeds, std::span<const std::string> fetches,
                        std::vector<Tensor>* outputs) {
  std::shared_ptr<StepInPieces> run;
  {
    MutexLock lock(mutex_);
    const auto found = runs_.find(handle);
    Require(found != runs_.end(), "Must run 'setup' before performing partial runs: there is no step '", handle, "'");
    run = found->second;
  }
  bool is_over = false;
  Status status = run->RunPiece(feeds, fetches, outputs, &is_over);
  if (is_over) {
    MutexLock lock(mutex_);
    runs_.erase(handle);
  }
  return status;
}

int64_t PartialRuns::size() {
  MutexLock lock(mutex_);
  return static_cast<int64_t>(runs_.size());
}

}  // namespace plumb::fast
