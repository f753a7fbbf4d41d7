// The kernels of TensorArrays, for ops of all versions: they take and give the handles that a signature asks for (TA9).
#pragma once

#include "reference/kernel/op_context.h"

namespace plumb::reference {

void MakeTensorArray(OpContext& c);
void TensorArrayGrad(OpContext& c);
void TensorArrayWrite(OpContext& c);
void TensorArrayRead(OpContext& c);
void TensorArrayGather(OpContext& c);
void TensorArrayScatter(OpContext& c);
// All elements, or those that an array was unpacked into, as a Gather of them.
void TensorArrayPack(OpContext& c);
// All rows, as a Scatter of them.
void TensorArrayUnpack(OpContext& c);
void TensorArrayConcat(OpContext& c);
void TensorArraySplit(OpContext& c);
void TensorArraySize(OpContext& c);
void TensorArrayClose(OpContext& c);

}  // namespace plumb::reference
