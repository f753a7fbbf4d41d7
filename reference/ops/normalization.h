#pragma once

#include "reference/op_context.h"

namespace plumb::reference {

void Lrn(OpContext& context);                 // normalization_lrn.cc
void LrnGrad(OpContext& context);             // normalization_lrn.cc
void FusedBatchNorm(OpContext& context);      // normalization_batch.cc
void FusedBatchNormGrad(OpContext& context);  // normalization_batch.cc

// The axis of the channels: the last one, or the second one where data_format starts with NC.
int ChannelAxis(const OpContext& context, int rank);

}  // namespace plumb::reference
