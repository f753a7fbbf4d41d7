// The factories of the array family, by file.
#pragma once

#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {

// array_pass.cc
std::unique_ptr<Kernel> MakeConst(const Node& node);
std::unique_ptr<Kernel> MakePlaceholder(const Node& node);
std::unique_ptr<Kernel> MakePass(const Node& node);     // Identity and its kin
std::unique_ptr<Kernel> MakeNothing(const Node& node);  // NoOp, ControlTrigger
// array_shape.cc
std::unique_ptr<Kernel> MakeShape(const Node& node);  // ShapeN too
std::unique_ptr<Kernel> MakeSize(const Node& node);
std::unique_ptr<Kernel> MakeRank(const Node& node);
std::unique_ptr<Kernel> MakeReshape(const Node& node);
std::unique_ptr<Kernel> MakeExpandDims(const Node& node);
std::unique_ptr<Kernel> MakeSqueeze(const Node& node);
// array_index.cc
std::unique_ptr<Kernel> MakeBroadcastGradientArgs(const Node& node);
std::unique_ptr<Kernel> MakeConcatOffset(const Node& node);
std::unique_ptr<Kernel> MakeInvertPermutation(const Node& node);
// array_fill.cc
std::unique_ptr<Kernel> MakeZerosLike(const Node& node);
std::unique_ptr<Kernel> MakeOnesLike(const Node& node);
std::unique_ptr<Kernel> MakeFill(const Node& node);
std::unique_ptr<Kernel> MakeRange(const Node& node);
std::unique_ptr<Kernel> MakeOneHot(const Node& node);
// array_concat.cc
std::unique_ptr<Kernel> MakeConcat(const Node& node);
std::unique_ptr<Kernel> MakePack(const Node& node);
std::unique_ptr<Kernel> MakeUnpack(const Node& node);
std::unique_ptr<Kernel> MakeSplit(const Node& node);
std::unique_ptr<Kernel> MakeSplitV(const Node& node);
// array_slice.cc
std::unique_ptr<Kernel> MakeSlice(const Node& node);
std::unique_ptr<Kernel> MakeStridedSlice(const Node& node);
std::unique_ptr<Kernel> MakeStridedSliceGrad(const Node& node);
// array_rearrange.cc
std::unique_ptr<Kernel> MakeTranspose(const Node& node);
std::unique_ptr<Kernel> MakeReverse(const Node& node);
std::unique_ptr<Kernel> MakeReverseSequence(const Node& node);
std::unique_ptr<Kernel> MakeTile(const Node& node);
std::unique_ptr<Kernel> MakeTileGrad(const Node& node);
std::unique_ptr<Kernel> MakePad(const Node& node);
// array_gather.cc
std::unique_ptr<Kernel> MakeGather(const Node& node);
std::unique_ptr<Kernel> MakeDynamicPartition(const Node& node);
std::unique_ptr<Kernel> MakeDynamicStitch(const Node& node);
// array_search.cc
std::unique_ptr<Kernel> MakeUnique(const Node& node);
std::unique_ptr<Kernel> MakeWhere(const Node& node);

}  // namespace plumb::fast::cpu
