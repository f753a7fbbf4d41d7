// What the shape rules are written with. Every function that refuses throws kInvalidArgument naming input and op.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spec/ops/op_def.h"

namespace plumb::topics {

using Shapes = std::vector<PartialShape>;

// "input 1 ('shape') of Reshape".
std::string InputName(const ShapeContext& c, int i);

// The shape of input `i`, which must have this rank; of unknown dimensions where nothing is known.
PartialShape WithRank(const ShapeContext& c, int i, int rank);
// The shape of input `i`, whose rank, where known, must be within these limits.
const PartialShape& WithRankAtLeast(const ShapeContext& c, int i, int64_t rank);
const PartialShape& WithRankAtMost(const ShapeContext& c, int i, int rank);
void RequireScalar(const ShapeContext& c, int i);
// A vector of two, as the strings (container, name) of a handle are.
void RequirePair(const ShapeContext& c, int i);

// What two statements about one dimension give together; -1: unknown.
int64_t MergeDims(const ShapeContext& c, int64_t a, int64_t b);
// The merged shape of both inputs.
PartialShape MergeInputs(const ShapeContext& c, int i, int j);
PartialShape MergeShapes(const ShapeContext& c, const PartialShape& a, const PartialShape& b);

// The dimensions [begin, end) of a shape of known rank, and joined shapes (unknown where one of them is).
PartialShape Part(const PartialShape& shape, int begin, int end);
PartialShape Part(const PartialShape& shape, int begin);
PartialShape Join(const PartialShape& a, const PartialShape& b);
PartialShape WithDim(const PartialShape& shape, int axis, int64_t size);

// The values of input `i` (integers), where they are known before the run.
std::optional<std::vector<int64_t>> ConstantInts(const ShapeContext& c, int i);
// The one value of a scalar input.
std::optional<int64_t> ConstantInt(const ShapeContext& c, int i);
// A scalar input that says a size: -1 where it is unknown; negative values are refused.
int64_t ConstantSize(const ShapeContext& c, int i);
// Both of an input that is looked at only where its value is known: it must be a scalar then.
std::optional<int64_t> ScalarOnceKnown(const ShapeContext& c, int i);
int64_t SizeOnceKnown(const ShapeContext& c, int i);
// A shape tensor, which is a vector, as the shape it describes; unknown dimensions where it is not constant.
PartialShape ConstantShape(const ShapeContext& c, int i);

// `axis` counted from the front; refuses it outside [-rank, rank).
int CanonicalAxis(const ShapeContext& c, int64_t axis, int rank);

// Sizes with -1 for unknown; Subtract refuses a negative difference.
int64_t AddSizes(int64_t a, int64_t b);
int64_t SubtractSizes(const ShapeContext& c, int64_t a, int64_t b);
int64_t MultiplySizes(const ShapeContext& c, int64_t a, int64_t b);

// TensorFlow's broadcasting: dimensions aligned at the end, 1 stretches.
PartialShape Broadcast(const ShapeContext& c, const PartialShape& a, const PartialShape& b);

// Rules of several topics.
Shapes Broadcasting(const ShapeContext& c);  // the two inputs, broadcast
Shapes LikeFirst(const ShapeContext& c);     // input 0, whatever its shape
Shapes OfShapeAttr(const ShapeContext& c);   // the attribute `shape`
Shapes OfShapeInput(const ShapeContext& c);  // the shape that input 0 describes; the other inputs are scalars

// The declared shape of the variable behind input `i`, whose element type must be the one that attribute `type` names.
PartialShape VariableShape(const ShapeContext& c, int i, std::string_view type);
// The same, of a handle of any shape: one that is no scalar is the kernel's to refuse.
PartialShape DeclaredShape(const ShapeContext& c, int i, std::string_view type);

// Samples of ops on two operands that broadcast, and of those that divide by the second.
std::vector<const char*> BroadcastingSamples();
std::vector<const char*> NonzeroSamples();

}  // namespace plumb::topics
