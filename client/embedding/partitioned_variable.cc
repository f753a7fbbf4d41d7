#include "client/embedding/partitioned_variable.h"

namespace plumb {
namespace {

// "10 4 0,5:0,4".
std::string Place(const Shape& shape, int64_t begin, int64_t rows) {
  std::string place;
  for (int axis = 0; axis < shape.rank(); ++axis) place += Str(shape.dim(axis), " ");
  place += Str(begin, ",", rows);
  for (int axis = 1; axis < shape.rank(); ++axis) place += Str(":0,", shape.dim(axis));
  return place;
}

}  // namespace

PartitionedVariable MakePartitionedVariable(Scope& scope, const NamedVariable& wanted, int64_t parts) {
  Require(wanted.shape.rank() > 0, "the scalar '", wanted.name, "' cannot be cut into parts");
  const int64_t all = wanted.shape.dim(0);
  Require(parts >= 1 && parts <= all, "the ", all, " rows of '", wanted.name, "' cannot be cut into ", parts, " parts");
  PartitionedVariable variable = {wanted.shape, {}};
  int64_t begin = 0;
  for (int64_t i = 0; i < parts; ++i) {
    const int64_t rows = all / parts + (i < all % parts ? 1 : 0);
    std::vector<int64_t> dims(wanted.shape.dims().begin(), wanted.shape.dims().end());
    dims[0] = rows;
    NamedVariable part = wanted;
    part.name = Str(wanted.name, "/part_", i);
    part.shape = Shape(dims);
    part.seed += i;
    part.slice = SliceOf{wanted.name, Place(wanted.shape, begin, rows)};
    variable.parts.push_back(MakeNamedVariable(scope, part));
    begin += rows;
  }
  return variable;
}

Output Whole(Scope& scope, const PartitionedVariable& variable) {
  std::vector<Output> inputs = variable.values();
  if (inputs.size() == 1) return inputs[0];
  inputs.push_back(Constant(scope, int32_t{0}));
  return scope.Call("ConcatV2", inputs, {{"N", static_cast<int64_t>(variable.parts.size())}});
}

}  // namespace plumb
