// Kernels of the array family, by file.
#pragma once

#include "reference/op_context.h"

namespace plumb::reference {

// array_shape.cc
void ShapeKernel(OpContext& context);
void SizeKernel(OpContext& context);
void RankKernel(OpContext& context);
void Reshape(OpContext& context);
void ExpandDims(OpContext& context);
void Squeeze(OpContext& context);
void ConcatOffset(OpContext& context);
void BroadcastGradientArgs(OpContext& context);
// array_fill.cc
void ZerosLike(OpContext& context);
void OnesLike(OpContext& context);
void Fill(OpContext& context);
void Range(OpContext& context);
void OneHot(OpContext& context);
// array_join.cc
void Concat(OpContext& context);
void Pack(OpContext& context);
void Unpack(OpContext& context);
void Split(OpContext& context);
void SplitV(OpContext& context);
// array_slice.cc
void Slice(OpContext& context);
void StridedSlice(OpContext& context);
void StridedSliceGrad(OpContext& context);
// array_rearrange.cc
void Transpose(OpContext& context);
void Tile(OpContext& context);
void TileGrad(OpContext& context);
void Pad(OpContext& context);
void Reverse(OpContext& context);
void ReverseSequence(OpContext& context);
// array_gather.cc
Value GatherAlong(const Value& params, const Tensor& indices, int64_t axis, int64_t batch_dims);
void Gather(OpContext& context);
void DynamicPartition(OpContext& context);
void DynamicStitch(OpContext& context);
// array_search.cc
void Where(OpContext& context);
void Unique(OpContext& context);
void InvertPermutation(OpContext& context);

}  // namespace plumb::reference
