// The softmax over all classes of weights in parts, computed where each part lies, as the OSDI paper (§4.2) has it.
#pragma once

#include <vector>

#include "client/scope.h"

namespace plumb {

// For each example [batch] the cross entropy of its label and the softmax of inputs · weightsᵀ + biases, as
// SparseSoftmaxCrossEntropyWithLogits of all logits. Weights are in parts [classes of the part, size] and biases
// [classes of the part], cut alike, of known shapes and with the classes in order, as partitioned variables have them;
// each is a variable's value or the handle of a resource variable. Labels are int32 or int64 [batch], inputs
// [batch, size].
//
// Logits, their largest, the sum of their exponentials and the label's own are computed beside each part of the
// weights, and so are the gradients of that: numbers for each example and inputs travel, weights and logits do not. The
// loss of a label that is no class is NaN, and nothing learns from it. Throws kInvalidArgument for shapes that do not
// fit.
Output ShardedSoftmax(Scope& scope, const std::vector<Output>& weights, const std::vector<Output>& biases,
                      Output labels, Output inputs);

}  // namespace plumb
