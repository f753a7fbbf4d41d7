// Reductions that look at the order of elements, or take their groups from a tensor.
#pragma once

#include "reference/op_context.h"

namespace plumb::reference {

void ArgMax(OpContext& context);              // reduction_ranking.cc
void ArgMin(OpContext& context);              // reduction_ranking.cc
void TopK(OpContext& context);                // reduction_ranking.cc
void InTopK(OpContext& context);              // reduction_ranking.cc
void UnsortedSegmentSum(OpContext& context);  // reduction_segment.cc
void Cumsum(OpContext& context);              // reduction_cumulative.cc
void Cumprod(OpContext& context);             // reduction_cumulative.cc

}  // namespace plumb::reference
