#include "spec/graph/int32_attr.h"
#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

// The input with the table [blocks, 2] of margins. The first versions have squares as blocks, of an attribute's size.
int TableInput(const ShapeContext& c) { return c.num_inputs() - 1; }

std::optional<std::vector<int64_t>> BlockSizes(const ShapeContext& c) {
  if (TableInput(c) > 1) return ConstantInts(c, 1);
  return std::vector<int64_t>(2, Int32Attr(c.attrs(), "block_size"));
}

// Number of block dimensions. TensorFlow's rule (SpaceToBatchShapeHelper) refuses a graph that does not know how many
// sizes the block shape has.
int64_t BlockCount(const ShapeContext& c) {
  const PartialShape table = WithRank(c, TableInput(c), 2);
  MergeDims(c, table.dim(1), 2);
  if (TableInput(c) == 1) {
    MergeDims(c, table.dim(0), 2);
    WithRank(c, 0, 4);
    return 2;
  }
  const PartialShape& block = c.input(1);
  Require(block.rank() == 1 && block.dim(0) >= 0, InputName(c, 1),
          " must be known to be a vector, and of which size, when the graph is built; its shape is ", block.ToString());
  const int64_t count = MergeDims(c, block.dim(0), table.dim(0));
  WithRankAtLeast(c, 0, count + 1);
  return count;
}

// The product of the block sizes; -1: unknown.
int64_t BlockVolume(const ShapeContext& c, const std::optional<std::vector<int64_t>>& block) {
  int64_t volume = block ? 1 : -1;
  for (size_t i = 0; block && i < block->size(); ++i) {
    Require((*block)[i] >= 1, InputName(c, 1), " must hold positive sizes, not ", (*block)[i]);
    volume = MultiplySizes(c, volume, (*block)[i]);
  }
  return volume;
}

int64_t Divided(const ShapeContext& c, int64_t size, int64_t by) {
  Require(size < 0 || by < 0 || size % by == 0, c.op().name, ": the dimension ", size, " is not a multiple of ", by);
  return size < 0 || by < 0 ? -1 : size / by;
}

struct Margins {
  int64_t before = -1, after = -1;
};
Margins MarginsOf(const ShapeContext& c, const std::optional<std::vector<int64_t>>& table, size_t i) {
  if (!table) return {};
  const Margins margins{(*table)[2 * i], (*table)[2 * i + 1]};
  Require(margins.before >= 0 && margins.after >= 0, InputName(c, TableInput(c)),
          " must not hold negative numbers: ", margins.before, ", ", margins.after);
  return margins;
}

Shapes Moved(const ShapeContext& c, bool to_batch) {
  const auto block = BlockSizes(c), table = ConstantInts(c, TableInput(c));
  const int64_t count = BlockCount(c);
  // The older ops, which have no input for sizes of blocks, take images.
  const PartialShape input = c.num_inputs() == 2 ? WithRank(c, 0, 4) : c.input(0);
  if (!input.has_rank()) return {input};
  const int64_t volume = BlockVolume(c, block);
  PartialShape shape =
      WithDim(input, 0, to_batch ? MultiplySizes(c, input.dim(0), volume) : Divided(c, input.dim(0), volume));
  for (int i = 0; i < count; ++i) {
    const Margins margins = MarginsOf(c, table, static_cast<size_t>(i));
    const int64_t size = block ? (*block)[static_cast<size_t>(i)] : -1, dim = input.dim(i + 1);
    const int64_t margin = AddSizes(margins.before, margins.after);
    shape = WithDim(
        shape, i + 1,
        to_batch ? Divided(c, AddSizes(dim, margin), size) : SubtractSizes(c, MultiplySizes(c, dim, size), margin));
  }
  return {shape};
}

Shapes SpaceToBatchShapes(const ShapeContext& c) { return Moved(c, true); }
Shapes BatchToSpaceShapes(const ShapeContext& c) { return Moved(c, false); }

// The same blocks moved back.
Values SquaresGradient(Gradient& g, const char* op) {
  const auto side = static_cast<int32_t>(g.attr<int64_t>("block_size"));
  return {g.Call(op, {g.dy(), g.Int32s({side, side}), g.x(1)}), GradientValue::None()};
}
Values SpaceToBatchV1Gradient(Gradient& g) { return SquaresGradient(g, "BatchToSpaceND"); }
Values BatchToSpaceV1Gradient(Gradient& g) { return SquaresGradient(g, "SpaceToBatchND"); }

Values SpaceToBatchGradient(Gradient& g) {
  return {g.Call("BatchToSpaceND", {g.dy(), g.x(1), g.x(2)}), GradientValue::None(), GradientValue::None()};
}
Values BatchToSpaceGradient(Gradient& g) {
  return {g.Call("SpaceToBatchND", {g.dy(), g.x(1), g.x(2)}), GradientValue::None(), GradientValue::None()};
}

}  // namespace

std::span<const OpRow> ArraySpaceToBatch() {
  static const OpRow rows[] = {
      {.signature = "SpaceToBatch(input: T, paddings: Tpaddings) -> (output: T)",
       .attrs = "T: type; Tpaddings: type = int32 in [int32, int64]; block_size: int >= 2",
       .doc = "SpaceToBatchND of images, by squares of block_size.",
       .cpu = "T in [floats, ints]",
       .gpu = "T in [floats]",
       .shape_fn = SpaceToBatchShapes,
       .gradient = SpaceToBatchV1Gradient,
       .samples = {"block_size=2: [b 4 6 c] {{0, 0}, {0, 0}}", "block_size=3: [b 1 4 c] {{2, 0}, {0, 2}}"}},
      {.signature = "BatchToSpace(input: T, crops: Tidx) -> (output: T)",
       .attrs = "T: type; block_size: int >= 2; Tidx: type = int32 in [int32, int64]",
       .doc = "BatchToSpaceND of images, by squares of block_size.",
       .cpu = "T in [floats, ints]",
       .gpu = "T in [floats]",
       .shape_fn = BatchToSpaceShapes,
       .gradient = BatchToSpaceV1Gradient,
       .samples = {"block_size=2: [4 h w c] {{0, 0}, {0, 0}}", "block_size=3: [9 2 2 c] {{2, 1}, {0, 2}}"}},
      {.signature = "SpaceToBatchND(input: T, block_shape: Tblock_shape, paddings: Tpaddings) -> (output: T) hands_on",
       .attrs = "T: type; Tblock_shape: type = int32 in [int32, int64]; Tpaddings: type = int32 in [int32, int64]",
       .doc =
           "The input, padded with zeros and cut into blocks: elements at the same place of all blocks make up a batch "
           "entry. Row i of `paddings` says how many zeros there are before and after dimension i + 1.",
       .cpu = "T in [floats, ints]",
       .gpu = "T in [floats]",
       .shape_fn = SpaceToBatchShapes,
       .strictness = Strictness::kStricterThanKernel,
       .gradient = SpaceToBatchGradient,
       .samples = {"[b 4 6 c] {2, 3} {{0, 0}, {0, 0}}", "[b 3 4] {2} {{0, 1}}",
                   "[b 2 n 5 c] {1, 1, 3} {{0, 0}, {0, 0}, "
                   "{1, 0}}",
                   "[2 n c] {1} {{0, 0}}", "[b 1 4 1] {2, 2} {{2, 1}, {0, 2}}", "[b c] {} [0 2]"}},
      {.signature = "BatchToSpaceND(input: T, block_shape: Tblock_shape, crops: Tcrops) -> (output: T) hands_on",
       .attrs = "T: type; Tblock_shape: type = int32 in [int32, int64]; Tcrops: type = int32 in [int32, int64]",
       .doc = "What SpaceToBatchND does, undone: row i of `crops` says how much is cut off before and after dimension "
              "i + 1.",
       .cpu = "T in [floats, ints]",
       .gpu = "T in [floats]",
       .shape_fn = BatchToSpaceShapes,
       .strictness = Strictness::kStricterThanKernel,
       .gradient = BatchToSpaceGradient,
       .samples = {"[6 h w c] {2, 3} {{0, 0}, {0, 0}}", "[4 3 c] {2} {{1, 2}}",
                   "[3 a b 5 c] {1, 1, 3} {{0, 0}, {0, 0}, "
                   "{1, 0}}",
                   "[b n c] {1} {{0, 0}}", "[4 2 3] {2, 2} {{2, 1}, {0, 2}}", "[b c] {} [0 2]"}},
  };
  return rows;
}

}  // namespace plumb::topics
