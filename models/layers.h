// The building blocks that the models share.
#pragma once

#include <string>

#include "client/scope.h"
#include "client/variable.h"

namespace plumb::models {

// x·W + b with x [batch, in] → [batch, out].
Output Dense(Scope& scope, Output x, int64_t out, int64_t seed, const std::string& name);
// 'SAME' convolution with stride 1 and bias: x [batch, h, w, in] → [batch, h, w, out], side × side kernels.
Output Convolution(Scope& scope, Output x, int64_t side, int64_t out, int64_t seed, const std::string& name);
// Maximum over 2 × 2 windows, stride 2: halves height and width, rounding up.
Output HalvingPool(Scope& scope, Output x);
// Mean cross entropy of logits [batch, classes] against labels [batch] (int32 or int64).
Output MeanCrossEntropy(Scope& scope, Output logits, Output labels);

}  // namespace plumb::models
