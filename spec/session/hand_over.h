// A session that goes on in the place of another.
#pragma once

#include "spec/session/saved_state.h"
#include "spec/session/session.h"

namespace plumb {

// `to` takes up what `from` left: both can be saved, have the same graph, and `to` has not run yet (rule S10).
inline Status HandOver(Session& from, Session& to) {
  SavedState state;
  const Status status = dynamic_cast<SavedSession&>(from).Save(&state);
  return status.ok() ? dynamic_cast<SavedSession&>(to).Restore(state) : status;
}

}  // namespace plumb
