// The array family: one row per op. The kernels are in the files array_*.cc.
#include "fastpath/cpu/topics.h"

namespace plumb::fast::cpu {

std::span<const KernelRow> CpuArrayKernels() {
  static const KernelRow rows[] = {
      {"Const", MakeConst},
      {"Placeholder", MakePlaceholder},
      {"PlaceholderWithDefault", MakePass},
      {"Identity", MakePass},
      {"StopGradient", MakePass},
      {"PreventGradient", MakePass},
      {"NoOp", MakeNothing},
      {"ControlTrigger", MakeNothing},
      {"Shape", MakeShape},
      {"ShapeN", MakeShape},
      {"Size", MakeSize},
      {"Rank", MakeRank},
      {"Reshape", MakeReshape},
      {"ExpandDims", MakeExpandDims},
      {"Squeeze", MakeSqueeze},
      {"BroadcastGradientArgs", MakeBroadcastGradientArgs},
      {"ConcatOffset", MakeConcatOffset},
      {"InvertPermutation", MakeInvertPermutation},
      {"ZerosLike", MakeZerosLike},
      {"OnesLike", MakeOnesLike},
      {"Fill", MakeFill},
      {"Range", MakeRange},
      {"OneHot", MakeOneHot},
      {"ConcatV2", MakeConcat},
      {"Pack", MakePack},
      {"Unpack", MakeUnpack},
      {"Split", MakeSplit},
      {"SplitV", MakeSplitV},
      {"Slice", MakeSlice},
      {"StridedSlice", MakeStridedSlice},
      {"StridedSliceGrad", MakeStridedSliceGrad},
      {"Transpose", MakeTranspose},
      {"ReverseV2", MakeReverse},
      {"ReverseSequence", MakeReverseSequence},
      {"Tile", MakeTile},
      {"TileGrad", MakeTileGrad},
      {"Pad", MakePad},
      {"GatherV2", MakeGather},
      {"DynamicPartition", MakeDynamicPartition},
      {"DynamicStitch", MakeDynamicStitch},
      {"Unique", MakeUnique},
      {"Where", MakeWhere},
  };
  return rows;
}

}  // namespace plumb::fast::cpu
