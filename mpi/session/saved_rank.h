// What one rank of a run keeps beside variables, while other ranks may be at work.
#pragma once

#include "spec/session/saved_state.h"

namespace plumb::dist {

// Sessions of ranks are this besides.
class SavedRank {
 public:
  virtual ~SavedRank() = default;
  // What the stateful kernels of this session keep on this rank, and the rank's resources but variables, under the
  // names of S10. No step of this session draws from them meanwhile; other sessions' steps, and steps of this one that
  // wait for other ranks, may be under way.
  virtual Status SaveRank(SavedState* state) = 0;
  // Before the first step that needs them.
  virtual Status RestoreRank(const SavedState& state) = 0;
};

}  // namespace plumb::dist
