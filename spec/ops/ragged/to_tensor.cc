#include <algorithm>
#include <string>

#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/scalar_shape.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

using Kinds = std::vector<std::string>;

// The ragged axes that the partitions make; refuses kinds that do not follow each other so.
int RaggedRank(const ShapeContext& c) {
  const auto& kinds = c.attr<Kinds>("row_partition_types");
  const int64_t partitions = c.attr<int64_t>("num_row_partition_tensors");
  Require(std::ssize(kinds) == partitions, "row_partition_types has ", kinds.size(), " entries for ", partitions,
          " partitions");
  for (size_t i = 0; i < kinds.size(); ++i) {
    const bool is_first_dim = kinds[i] == "FIRST_DIM_SIZE", is_rows = kinds[i] == "VALUE_ROWIDS";
    Require(is_first_dim || is_rows || kinds[i] == "ROW_SPLITS",
            "a row partition is FIRST_DIM_SIZE, VALUE_ROWIDS or ROW_SPLITS, not ", kinds[i]);
    Require(!is_first_dim || i == 0, "FIRST_DIM_SIZE must be the first partition");
    Require(!is_rows || i > 0, "VALUE_ROWIDS cannot be the first partition");
  }
  const bool sized = kinds[0] == "FIRST_DIM_SIZE";
  Require(!sized || (kinds.size() > 1 && kinds[1] == "VALUE_ROWIDS"), "VALUE_ROWIDS must follow FIRST_DIM_SIZE");
  for (int i = 0; i < static_cast<int>(partitions); ++i) WithRank(c, 3 + i, sized && i == 0 ? 0 : 1);
  return static_cast<int>(partitions) - (sized ? 1 : 0);
}

// What the shape input says; a scalar says nothing.
PartialShape WantedShape(const ShapeContext& c) {
  const PartialShape& shape = WithRankAtMost(c, 0, 1);
  if (!shape.has_rank() || shape.rank() == 0) return PartialShape::Unknown();
  const auto dims = ConstantInts(c, 0);
  if (!dims) return shape.dim(0) < 0 ? PartialShape::Unknown() : PartialShape::OfRank(static_cast<int>(shape.dim(0)));
  for (const int64_t dim : *dims) Require(dim >= -1, "a dimension of shape is ", dim, ", below -1");
  return PartialShape(*dims);
}

Shapes RaggedToTensorShapes(const ShapeContext& c) {
  const int ragged_rank = RaggedRank(c);
  RequireShapeOrUnknown(c, 0);
  const PartialShape wanted = WantedShape(c), &values = c.input(1), &filler = c.input(2);
  if (!values.has_rank()) return {wanted};
  WithRankAtLeast(c, 1, 1);
  if (filler.has_rank()) {
    Require(filler.rank() < values.rank(), InputName(c, 2), " must have a lower rank than the values");
    for (int i = 0; i < filler.rank(); ++i) {
      if (filler.dim(i) != 1) MergeDims(c, filler.dim(i), values.dim(i + 1));
    }
  }
  return {MergeShapes(c, wanted, Join(PartialShape::OfRank(ragged_rank + 1), Part(values, 1)))};
}

// The places of the values, as the op itself puts them down; -1 where it fills.
Values RaggedToTensorGradient(Gradient& g) {
  const auto& kinds = g.attr<Kinds>("row_partition_types");
  const auto ragged_rank = static_cast<int>(
      std::count_if(kinds.begin(), kinds.end(), [](const std::string& kind) { return kind != "FIRST_DIM_SIZE"; }));
  const Endpoint values = g.x(1), filler = g.x(2);
  const Endpoint rows = g.Call("Reshape", {Part(g, g.ShapeOf(values), 0, 1), g.Int32s({})});
  std::vector<Endpoint> inputs = {Part(g, g.ShapeOf(g.dy()), 0, ragged_rank + 1),
                                  g.Call("Range", {Zero(g), rows, One(g)}), g.Scalar(-1, DType::kInt32)};
  for (int i = 3; i < g.num_inputs(); ++i) inputs.push_back(g.x(i));
  AttrMap attrs = SameAttrs(g, {"Tindex", "num_row_partition_tensors", "row_partition_types"});
  attrs["T"] = DType::kInt32;
  attrs["Tshape"] = DType::kInt32;
  const Endpoint places = g.Call("RaggedTensorToTensor", inputs, attrs);
  const Endpoint filled = g.Call("Equal", {places, g.Scalar(-1, DType::kInt32)});
  const Endpoint held = g.Call("Where", {g.Call("LogicalNot", {filled})});
  const Endpoint of_filler = g.Call("GatherNd", {g.dy(), g.Call("Where", {filled})});
  Values gradients(static_cast<size_t>(g.num_inputs()));
  gradients[1] =
      GradientValue::Sparse(g.Call("GatherNd", {g.dy(), held}), g.Call("GatherNd", {places, held}), g.ShapeOf(values));
  gradients[2] = g.SumToShapeOf(of_filler, filler, of_filler);
  return gradients;
}

}  // namespace

std::span<const OpRow> RaggedToTensor() {
  static const OpRow rows[] = {
      {.signature = "RaggedTensorToTensor(shape: Tshape, values: T, default_value: T, row_partition_tensors: "
                    "Tindex*num_row_partition_tensors) -> (result: T)",
       .attrs = "T: type; Tindex: type in [int64, int32]; Tshape: type in [int64, int32]; num_row_partition_tensors: "
                "int >= 1; row_partition_types: list(string)",
       .doc = "A ragged tensor as a dense one: rows are cut or filled up with default_value to the sizes in shape, of "
              "which -1 asks for the longest; a scalar -1 for all. Partitions are the splits of rows, or the number of "
              "rows (FIRST_DIM_SIZE) and the row of each value (VALUE_ROWIDS).",
       .cpu = "T in [numbers, quantized, bool, string]",
       .shape_fn = RaggedToTensorShapes,
       .strictness = Strictness::kStricterThanKernel,
       .gradient = RaggedToTensorGradient,
       .samples = {"num_row_partition_tensors=1 row_partition_types=['ROW_SPLITS']: -1 [5] [] ({0, 2, 2, 5})",
                   "num_row_partition_tensors=1 row_partition_types=['ROW_SPLITS']: {2, 2, 3} [5 3] [3] ({0, 3, 4, 5})",
                   "num_row_partition_tensors=1 row_partition_types=['ROW_SPLITS']: {-1, 4, -1} [5 2] [1] ({0, 3, 5})",
                   "num_row_partition_tensors=1 row_partition_types=['ROW_SPLITS']: {-1, 4, -1, -1} [5 2 3] [1 3] "
                   "({0, 3, 5})",
                   "num_row_partition_tensors=2 row_partition_types=['FIRST_DIM_SIZE', 'VALUE_ROWIDS']: "
                   "{-1, -1} [4] [] (4 {0, 0, 2, 2})",
                   "num_row_partition_tensors=2 row_partition_types=['ROW_SPLITS', 'ROW_SPLITS']: "
                   "{-1, 2, 2} [4] [] ({0, 2, 2, 3} {0, 1, 1, 4})",
                   "num_row_partition_tensors=2 row_partition_types=['ROW_SPLITS', 'VALUE_ROWIDS']: "
                   "-1 [4 2] [2] ({0, 2, 3} {0, 2, 2, 2})"}},
  };
  return rows;
}

}  // namespace plumb::topics
