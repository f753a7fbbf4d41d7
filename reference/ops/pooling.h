#pragma once

#include "reference/op_context.h"

namespace plumb::reference {

// The attributes of a pooling op.
void CheckPooling(const Node& node);
void MaxPool(OpContext& context);
void MaxPoolGrad(OpContext& context);
void MaxPoolGradGrad(OpContext& context);
void AvgPool(OpContext& context);
void AvgPoolGrad(OpContext& context);

}  // namespace plumb::reference
