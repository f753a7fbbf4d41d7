#pragma once

#include "reference/op_context.h"

namespace plumb::reference {

void MaxPool(OpContext& context);
void MaxPoolGrad(OpContext& context);
void AvgPool(OpContext& context);
void AvgPoolGrad(OpContext& context);

}  // namespace plumb::reference
