// A value on an edge of the reference: a tensor, and beside each floating-point element its error bound and derivative.
#pragma once

#include <memory>
#include <vector>

#include "spec/core/tensor.h"
#include "spec/session/saved_state.h"

namespace plumb::reference {

// One double per element, row-major; null: zero everywhere. Complex elements have two, real part first.
using Sidecar = std::shared_ptr<const std::vector<double>>;

class VariableBuffer;

// Immutable, unless it is an alias of a variable's buffer: then it shows what that held when somebody last looked
// (Current in variable.h), and whoever computes with it looks first (rule R31).
struct Value {
  Tensor tensor;
  Sidecar bound;       // how far a conforming implementation may be from `tensor`, element by element
  Sidecar tangent;     // derivative in the direction that the caller seeded
  bool sharp = false;  // whether a sum in it was held to the sharp limit (rule N16): its bound is no proof
  std::shared_ptr<VariableBuffer> source;  // of an alias: the buffer …
  int64_t first = 0;                       // … and the element of it that this begins with
  bool was_alias = false;                  // of a fetched value: it is what an alias showed when the step was over

  Value() = default;
  Value(Tensor tensor) : tensor(std::move(tensor)) {}  // NOLINT: a tensor is a value without error
  Value(Tensor tensor, Sidecar bound, Sidecar tangent)
      : tensor(std::move(tensor)), bound(std::move(bound)), tangent(std::move(tangent)) {}
};

// Of any rank, or none.
void SaveShape(const StateWriter& writer, std::string_view name, const PartialShape& shape);
PartialShape RestoredShape(const StateReader& reader, std::string_view name);
// With its bound and derivative. An alias is saved as what it shows.
void SaveValue(const StateWriter& writer, const Value& value);
Value RestoredValue(const StateReader& reader);

}  // namespace plumb::reference
