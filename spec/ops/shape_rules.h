// Shape rules that no pattern can say: they look at attributes, or at values known before the run. They are as strict
// as TensorFlow's shape functions, no stricter: what only a kernel refuses is left to the kernel (rule T7).
#pragma once

#include <vector>

#include "spec/ops/op_def.h"

namespace plumb::shape_rules {

using Shapes = std::vector<PartialShape>;

// array: shape_rules_array.cc
Shapes OfValueAttr(const ShapeContext& c);  // the shape of the attribute `value`
Shapes OfShapeAttr(const ShapeContext& c);  // the attribute `shape`
Shapes PlaceholderWithDefault(const ShapeContext& c);
Shapes Fill(const ShapeContext& c);
Shapes Range(const ShapeContext& c);
Shapes OneHot(const ShapeContext& c);
Shapes ShapeOf(const ShapeContext& c);  // Shape and ShapeN
Shapes Where(const ShapeContext& c);
Shapes Reshape(const ShapeContext& c);
Shapes ExpandDims(const ShapeContext& c);
Shapes Squeeze(const ShapeContext& c);
Shapes Transpose(const ShapeContext& c);
Shapes ReverseV2(const ShapeContext& c);
Shapes ReverseSequence(const ShapeContext& c);

// array_pieces: shape_rules_pieces.cc, shape_rules_slice.cc
Shapes ConcatV2(const ShapeContext& c);
Shapes Pack(const ShapeContext& c);
Shapes Unpack(const ShapeContext& c);
Shapes Split(const ShapeContext& c);
Shapes SplitV(const ShapeContext& c);
Shapes Pad(const ShapeContext& c);
Shapes Tile(const ShapeContext& c);
Shapes GatherV2(const ShapeContext& c);
Shapes DynamicPartition(const ShapeContext& c);
Shapes DynamicStitch(const ShapeContext& c);
Shapes Slice(const ShapeContext& c);
Shapes StridedSlice(const ShapeContext& c);
Shapes StridedSliceGrad(const ShapeContext& c);

// math, reduction, matrix: shape_rules_math.cc
Shapes Broadcasting(const ShapeContext& c);
Shapes Equality(const ShapeContext& c);  // broadcasting, or a scalar where shapes may be incompatible
Shapes Select(const ShapeContext& c);
Shapes Reduction(const ShapeContext& c);
Shapes ArgMinMax(const ShapeContext& c);
Shapes TopK(const ShapeContext& c);
Shapes UnsortedSegment(const ShapeContext& c);
Shapes MatMul(const ShapeContext& c);
Shapes BatchMatMul(const ShapeContext& c);
Shapes BatchMatMulV2(const ShapeContext& c);
Shapes SoftmaxCrossEntropy(const ShapeContext& c);

// convolution, normalization: shape_rules_nn.cc
Shapes Conv2D(const ShapeContext& c);
Shapes Conv2DBackpropInput(const ShapeContext& c);
Shapes Conv2DBackpropFilter(const ShapeContext& c);
Shapes MaxPool(const ShapeContext& c);
Shapes AvgPool(const ShapeContext& c);
Shapes AvgPoolGrad(const ShapeContext& c);
Shapes BiasAdd(const ShapeContext& c);
Shapes BiasAddGrad(const ShapeContext& c);
Shapes FusedBatchNorm(const ShapeContext& c);
Shapes FusedBatchNormGrad(const ShapeContext& c);

// control_flow, state, random, stack: shape_rules_state.cc
Shapes Merge(const ShapeContext& c);
Shapes RefSelect(const ShapeContext& c);
Shapes Variable(const ShapeContext& c);
Shapes Assign(const ShapeContext& c);
Shapes ScatterUpdate(const ShapeContext& c);
Shapes ReadVariable(const ShapeContext& c);
Shapes AssignVariable(const ShapeContext& c);
Shapes ResourceGather(const ShapeContext& c);
Shapes ResourceApplyGradientDescent(const ShapeContext& c);
Shapes ResourceApplyMomentum(const ShapeContext& c);
Shapes RandomOfShape(const ShapeContext& c);
Shapes TensorArrayGather(const ShapeContext& c);

}  // namespace plumb::shape_rules
