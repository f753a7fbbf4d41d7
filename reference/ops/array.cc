#include "reference/ops/array.h"

namespace plumb::reference {
namespace {

constexpr KernelRow kRows[] = {
    {"Shape", ShapeKernel},
    {"ShapeN", ShapeKernel},
    {"Size", SizeKernel},
    {"Rank", RankKernel},
    {"Reshape", Reshape},
    {"ExpandDims", ExpandDims},
    {"Squeeze", Squeeze},
    {"ConcatOffset", ConcatOffset},
    {"BroadcastGradientArgs", BroadcastGradientArgs},
    {"ZerosLike", ZerosLike},
    {"OnesLike", OnesLike},
    {"Fill", Fill},
    {"Range", Range},
    {"OneHot", OneHot},
    {"ConcatV2", Concat},
    {"Pack", Pack},
    {"Unpack", Unpack},
    {"Split", Split},
    {"SplitV", SplitV},
    {"Slice", Slice},
    {"StridedSlice", StridedSlice},
    {"StridedSliceGrad", StridedSliceGrad},
    {"Transpose", Transpose},
    {"Tile", Tile},
    {"TileGrad", TileGrad},
    {"Pad", Pad},
    {"ReverseV2", Reverse},
    {"ReverseSequence", ReverseSequence},
    {"GatherV2", Gather},
    {"DynamicPartition", DynamicPartition},
    {"DynamicStitch", DynamicStitch},
    {"Where", Where},
    {"Unique", Unique},
    {"InvertPermutation", InvertPermutation},
};

}  // namespace

std::span<const KernelRow> ArrayKernels() { return kRows; }

}  // namespace plumb::reference
