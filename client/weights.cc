#include "client/weights.h"

namespace plumb {

void CheckWeights(Output weights, Output values, const char* what) {
  const PartialShape &w = weights.shape(), &v = values.shape();
  if (!w.has_rank() || !v.has_rank() || w.rank() == 0) return;
  bool fits = w.rank() == v.rank();
  for (int axis = 0; fits && axis < w.rank(); ++axis) {
    const int64_t mine = w.dim(axis), theirs = v.dim(axis);
    fits = mine == 1 || mine < 0 || theirs < 0 || mine == theirs;
  }
  Require(fits, "weights of shape ", w.ToString(), " do not fit ", what, " of shape ", v.ToString(),
          ": they must be a scalar, or have as many axes, each of equal size or 1");
}

Output BroadcastWeights(Scope& scope, Output weights, Output values) {
  return weights * scope.Call("OnesLike", {values});
}

Output SafeQuotient(Scope& scope, Output a, Output b) { return scope.Call("DivNoNan", {a, b}); }

}  // namespace plumb
