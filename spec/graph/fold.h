// Arithmetic on shapes while a graph is built: values that are known without running anything.
#pragma once

#include <span>
#include <vector>

#include "spec/graph/graph.h"

namespace plumb {

// The outputs of `node` that follow from its inputs' values (null: unknown) and shapes: unset tensors for those that do
// not, nothing at all when none does. Knows integer ops that compute shapes from shapes, on small tensors.
std::vector<Tensor> FoldShapeArithmetic(const Node& node, std::span<const Tensor* const> inputs,
                                        std::span<const PartialShape> shapes);

}  // namespace plumb
