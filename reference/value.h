// A value on an edge of the reference: a tensor, and beside each floating-point element its error bound and derivative.
#pragma once

#include <memory>
#include <vector>

#include "spec/core/tensor.h"

namespace plumb::reference {

// One double per element, row-major; null: zero everywhere. Complex elements have two, real part first.
using Sidecar = std::shared_ptr<const std::vector<double>>;

struct Value {
  Tensor tensor;
  Sidecar bound;       // how far a conforming implementation may be from `tensor`, element by element
  Sidecar tangent;     // derivative in the direction that the caller seeded
  bool sharp = false;  // whether a sum in it was held to the sharp limit (rule N16): its bound is no proof

  Value() = default;
  Value(Tensor tensor) : tensor(std::move(tensor)) {}  // NOLINT: a tensor is a value without error
  Value(Tensor tensor, Sidecar bound, Sidecar tangent)
      : tensor(std::move(tensor)), bound(std::move(bound)), tangent(std::move(tangent)) {}
};

}  // namespace plumb::reference
