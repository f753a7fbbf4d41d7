// What the gradient rules of sorted and unsorted segments share.
#pragma once

#include "spec/ops/gradient_helpers.h"

namespace plumb::topics {

inline Endpoint Gathered(Gradient& g, Endpoint rows, Endpoint ids) { return g.Call("GatherV2", {rows, ids, Zero(g)}); }

inline Endpoint Selected(Gradient& g, Endpoint condition, Endpoint a, Endpoint b) {
  return g.Call("SelectV2", {condition, a, b});
}

inline Endpoint OnesLike(Gradient& g, Endpoint value) { return g.Call("OnesLike", {value}); }

inline Endpoint AsType(Gradient& g, Endpoint value, DType dtype) { return g.Call("Cast", {value}, {{"DstT", dtype}}); }

}  // namespace plumb::topics
