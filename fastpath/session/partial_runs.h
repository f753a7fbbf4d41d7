// The steps in pieces of a session, by their handles (rules P1–P5).
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "fastpath/session/step_in_pieces.h"

namespace plumb::fast {

class PartialRuns {
 public:
  // The handle of a new one.
  std::string Add(std::shared_ptr<StepInPieces> run);
  // Throws kInvalidArgument for a handle that names none, or one that is over.
  Status Run(const std::string& handle, std::span<const Feed> feeds, std::span<const std::string> fetches,
             std::vector<Tensor>* outputs);
  // Those that are not over.
  int64_t size();

 private:
  Mutex mutex_;
  int64_t made_ PLUMB_GUARDED_BY(mutex_) = 0;
  std::map<std::string, std::shared_ptr<StepInPieces>> runs_ PLUMB_GUARDED_BY(mutex_);
};

}  // namespace plumb::fast
