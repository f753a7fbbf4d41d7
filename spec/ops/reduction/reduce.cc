#include "spec/ops/gradient_helpers.h"
#include "spec/ops/known_values.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes ReductionShapes(const ShapeContext& c) {
  WithRankAtMost(c, 1, 1);
  const PartialShape& input = c.input(0);
  const bool keep_dims = c.attr<bool>("keep_dims");
  const auto axes = ConstantInts(c, 1);
  if (!input.has_rank()) return {PartialShape::Unknown()};
  if (!axes) return {keep_dims ? PartialShape::OfRank(input.rank()) : PartialShape::Unknown()};
  std::vector<bool> reduced(input.rank(), false);
  for (const int64_t axis : *axes) reduced[CanonicalAxis(c, axis, input.rank())] = true;
  std::vector<int64_t> dims;
  for (int axis = 0; axis < input.rank(); ++axis) {
    if (!reduced[axis]) {
      dims.push_back(input.dim(axis));
    } else if (keep_dims) {
      dims.push_back(1);
    }
  }
  return {PartialShape(std::move(dims))};
}

// The input's shape with the reduced axes set to 1, whatever keep_dims says.
Endpoint KeptShape(Gradient& g, Endpoint input_shape) {
  const Endpoint rank = g.Call("Rank", {g.x(0)});
  const Endpoint zero = g.Scalar(0, DType::kInt32), one = g.Scalar(1, DType::kInt32);
  Endpoint axes = g.x(1);
  if (g.dtype(axes) != DType::kInt32) axes = g.Call("Cast", {axes}, {{"DstT", DType::kInt32}});
  axes = g.Call("Reshape", {axes, g.Int32s({-1})});
  axes = g.Call("FloorMod", {g.Call("Add", {axes, rank}), g.Call("Maximum", {rank, one})});
  const Endpoint all = g.Call("Range", {zero, rank, one});
  const Endpoint ones = g.Call("Fill", {g.ShapeOf(axes), one});
  return g.Call("DynamicStitch", {all, axes, input_shape, ones}, {{"N", 2}});
}

// `value`, shaped like the reduction's result, repeated over the reduced axes.
Endpoint Spread(Gradient& g, Endpoint value, Endpoint input_shape, Endpoint kept) {
  const Endpoint repeats = g.Call("FloorDiv", {input_shape, g.Call("Maximum", {kept, g.Scalar(1, DType::kInt32)})});
  return g.Call("Tile", {g.Call("Reshape", {value, kept}), repeats});
}

Endpoint SpreadGradient(Gradient& g) {
  const Endpoint input_shape = g.ShapeOf(g.x(0));
  return Spread(g, g.dy(), input_shape, KeptShape(g, input_shape));
}

// The gradient is shared evenly by the elements that equal the result.
Values Extremum(Gradient& g) {
  const Endpoint input_shape = g.ShapeOf(g.x(0));
  const Endpoint kept = KeptShape(g, input_shape);
  const DType dtype = g.dtype(g.x(0));
  const Endpoint equal =
      g.Call("Cast", {g.Call("Equal", {Spread(g, g.y(), input_shape, kept), g.x(0)})}, {{"DstT", dtype}});
  const Endpoint count = g.Call("Reshape", {g.Call("Sum", {equal, g.x(1)}), kept});
  const Endpoint share = g.Call("RealDiv", {equal, count});
  return {g.Call("Mul", {share, g.Call("Reshape", {g.dy(), kept})}), GradientValue::None()};
}

Values SumGradient(Gradient& g) { return {SpreadGradient(g), GradientValue::None()}; }

Values MeanGradient(Gradient& g) {
  const Endpoint results = g.Call("Maximum", {g.Call("Size", {g.y(0)}), g.Scalar(1, DType::kInt32)});
  const Endpoint count = g.Call("FloorDiv", {g.Call("Size", {g.x(0)}), results});
  const Endpoint divisor = g.Call("Cast", {count}, {{"DstT", g.dtype(g.dy())}});
  return {g.Call("RealDiv", {SpreadGradient(g), divisor}), GradientValue::None()};
}

Values MaxGradient(Gradient& g) { return Extremum(g); }
Values MinGradient(Gradient& g) { return Extremum(g); }

// Every factor's gradient is the product of all others, computed without division so that zeros are right: the axes are
// moved so that the reduced ones form the rows of a matrix, and the products before and after each row are multiplied.
Values ProdGradient(Gradient& g) {
  const Endpoint zero = g.Scalar(0, DType::kInt32), one = g.Scalar(1, DType::kInt32);
  const Endpoint input_shape = g.ShapeOf(g.x(0));
  const Endpoint rank = g.Call("Rank", {g.x(0)});
  Endpoint axes = g.x(1);
  if (g.dtype(axes) != DType::kInt32) axes = g.Call("Cast", {axes}, {{"DstT", DType::kInt32}});
  axes = g.Call("FloorMod",
                {g.Call("Add", {g.Call("Reshape", {axes, g.Int32s({-1})}), rank}), g.Call("Maximum", {rank, one})});
  // Reduced axes first, then the others in order: stable by construction of the mask.
  const Endpoint reduced_mask = g.Call("UnsortedSegmentSum", {g.Call("Fill", {g.ShapeOf(axes), one}), axes, rank});
  const Endpoint kept_axes =
      g.Call("Reshape", {g.Call("Where", {g.Call("Equal", {reduced_mask, zero})}), g.Int32s({-1})});
  const Endpoint reduced_axes =
      g.Call("Reshape", {g.Call("Where", {g.Call("Greater", {reduced_mask, zero})}), g.Int32s({-1})});
  const AttrMap to_int32 = {{"DstT", DType::kInt32}};
  const Endpoint kept = g.Call("Cast", {kept_axes}, to_int32), reduced = g.Call("Cast", {reduced_axes}, to_int32);
  const Endpoint perm = g.Call("ConcatV2", {reduced, kept, zero}, {{"N", 2}});
  const Endpoint rows = g.Call("Prod", {g.Call("GatherV2", {input_shape, reduced, zero}), zero});
  const Endpoint columns = g.Call("Prod", {g.Call("GatherV2", {input_shape, kept, zero}), zero});
  const Endpoint moved = g.Call("Transpose", {g.x(0), perm});
  const Endpoint moved_shape = g.ShapeOf(moved);
  const Endpoint matrix = g.Call("Reshape", {moved, g.Call("Pack", {rows, columns})});
  const Endpoint before = g.Call("Cumprod", {matrix, zero}, {{"exclusive", true}});
  const Endpoint after = g.Call("Cumprod", {matrix, zero}, {{"exclusive", true}, {"reverse", true}});
  const Endpoint others = g.Call("Reshape", {g.Call("Mul", {g.Conjugate(before), g.Conjugate(after)}), moved_shape});
  const Endpoint back = g.Call("Transpose", {others, g.Call("InvertPermutation", {perm})});
  const Endpoint product = g.Call("Mul", {SpreadGradient(g), back});
  return {g.Call("Reshape", {product, input_shape}), GradientValue::None()};
}

// x/(y/dy).
Values EuclideanNormGradient(Gradient& g) {
  const Endpoint kept = KeptShape(g, g.ShapeOf(g.x(0)));
  const Endpoint y = g.Call("Reshape", {g.y(), kept}), dy = g.Call("Reshape", {g.dy(), kept});
  return {g.Call("RealDiv", {g.x(0), g.Call("RealDiv", {y, dy})}), GradientValue::None()};
}

// Whether a whole vector is made one number.
bool TakesVector(const Folding& f) {
  const std::vector<int64_t> axes = f.values(1);
  const bool all = f.input(0).rank() == 1 && axes.size() == 1 && (axes[0] == 0 || axes[0] == -1);
  return all && !f.attr<bool>("keep_dims");
}

std::optional<Tensor> FoldSum(const Folding& f) {
  if (!TakesVector(f)) return std::nullopt;
  int64_t sum = 0;
  for (const int64_t value : f.values(0)) {
    if (__builtin_add_overflow(sum, value, &sum)) return std::nullopt;
  }
  return KnownScalar(f, sum);
}

std::optional<Tensor> FoldProd(const Folding& f) {
  if (!TakesVector(f)) return std::nullopt;
  int64_t product = 1;
  for (const int64_t value : f.values(0)) {
    if (__builtin_mul_overflow(product, value, &product)) return std::nullopt;
  }
  return KnownScalar(f, product);
}

}  // namespace

std::span<const OpRow> ReductionReduce() {
  static const OpRow rows[] = {
      {.signature = "Sum(input: T, reduction_indices: Tidx) -> (output: T) hands_on",
       .attrs = "keep_dims: bool = false; T: type in [numbers, quantized]; Tidx: type = int32 in [int32, int64]",
       .doc = "The sum over the named axes, which stay with size 1 if keep_dims. An axis outside [-rank, "
              "rank) is an error.",
       .cpu = "T in [numbers]",
       .gpu = "T in [floats, int64]",
       .shape_fn = ReductionShapes,
       .strictness = Strictness::kStricterThanKernel,
       .fold = FromValues(FoldSum),
       .accuracy = Summation(),
       .gradient = SumGradient,
       .samples = {"keep_dims=false/true: [a b c] {0}", "keep_dims=true/false: [a b] {0, -1}", "[a b c e] {1, 3}",
                   "[d...] {}", "[a b] 1", "[a 60 5] {1}", "[1 a] {0}"}},
      {.signature = "Mean(input: T, reduction_indices: Tidx) -> (output: T) hands_on",
       .attrs = "keep_dims: bool = false; T: type in [numbers, quantized]; Tidx: type = int32 in [int32, int64]",
       .doc = "The mean over the named axes, which stay with size 1 if keep_dims. An axis outside [-rank, "
              "rank) is an error.",
       .cpu = "T in [numbers]",
       .gpu = "T in [floats, int64]",
       .shape_fn = ReductionShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Summation(),
       .gradient = MeanGradient,
       .samples = {"keep_dims=false/true: [A b c] {0}", "keep_dims=true/false: [A B] {0, -1}", "[a B c E] {1, 3}",
                   "[d...] {}", "[a B] 1", "[a 60 5] {1}"}},
      {.signature = "Prod(input: T, reduction_indices: Tidx) -> (output: T) hands_on",
       .attrs = "keep_dims: bool = false; T: type in [numbers, quantized]; Tidx: type = int32 in [int32, int64]",
       .doc = "The product over the named axes, which stay with size 1 if keep_dims. An axis outside [-rank, "
              "rank) is an error.",
       .cpu = "T in [numbers]",
       .gpu = "T in [floats, int64]",
       .shape_fn = ReductionShapes,
       .strictness = Strictness::kStricterThanKernel,
       .fold = FromValues(FoldProd),
       .accuracy = Composed(1),
       .gradient = ProdGradient,
       .samples = {"T in [floats, complexes] keep_dims=false/true: [a b c] in 0.5..1.5 {0}",
                   "T in [floats, complexes]: [a b] in -1.5..1.5 {0, -1}",
                   "T in [ints, quantized] keep_dims=true/false: [a b c e] {1, 3}", "[d...] {}",
                   "T in [ints]: [a b] 1"}},
      {.signature = "EuclideanNorm(input: T, reduction_indices: Tidx) -> (output: T)",
       .attrs = "keep_dims: bool = false; T: type in [numbers, quantized]; Tidx: type = int32 in [int32, int64]",
       .doc = "The square root of the sum of the absolute squares over the named axes, which stay with size 1 if "
              "keep_dims. The sum of integers wraps around in their type; its root is cut to a whole number. An axis "
              "outside [-rank, rank) is an error.",
       .cpu = "T in [numbers]",
       .gpu = "T in [floats]",
       .shape_fn = ReductionShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Composed(1),
       .gradient = EuclideanNormGradient,
       .samples = {"keep_dims=false/true: [a B c] {1}", "keep_dims=true/false: [A B] {0, -1}", "[a B c E] {1, 3}",
                   "T in [int32, int64, uint8]: [a b] in 0..3 1", "[a 60 5] {1}"}},
      {.signature = "Max(input: T, reduction_indices: Tidx) -> (output: T<either_zero>) hands_on",
       .attrs = "keep_dims: bool = false; T: type in [floats, ints, quantized]; Tidx: type = int32 in [int32, "
                "int64]",
       .doc = "The largest element (NaN if there is one) over the named axes, which stay with size 1 if "
              "keep_dims. An axis outside [-rank, rank) is an error.",
       .cpu = "T in [floats, ints]",
       .gpu = "T in [floats, int64]",
       .shape_fn = ReductionShapes,
       .strictness = Strictness::kStricterThanKernel,
       .gradient = MaxGradient,
       .samples = {"keep_dims=false/true: [a b c] {0}", "keep_dims=true/false: [a b] {0, -1}", "[a b c e] {1, 3}",
                   "[d...] {}", "[a b] 1", "[a 60 5] {1}", "[1 a] {0}"}},
      {.signature = "Min(input: T, reduction_indices: Tidx) -> (output: T<either_zero>) hands_on",
       .attrs = "keep_dims: bool = false; T: type in [floats, ints, quantized]; Tidx: type = int32 in [int32, "
                "int64]",
       .doc = "The smallest element (NaN if there is one) over the named axes, which stay with size 1 if "
              "keep_dims. An axis outside [-rank, rank) is an error.",
       .cpu = "T in [floats, ints]",
       .gpu = "T in [floats, int64]",
       .shape_fn = ReductionShapes,
       .strictness = Strictness::kStricterThanKernel,
       .gradient = MinGradient,
       .samples = {"keep_dims=false/true: [a b c] {0}", "keep_dims=true/false: [a b] {0, -1}", "[a b c e] {1, 3}",
                   "[d...] {}", "[a b] 1", "[a 60 5] {1}", "[1 a] {0}"}},
      {.signature = "All(input: bool, reduction_indices: Tidx) -> (output: bool) hands_on",
       .attrs = "keep_dims: bool = false; Tidx: type = int32 in [int32, int64]",
       .doc = "Whether all elements are true over the named axes, which stay with size 1 if keep_dims. An "
              "axis outside [-rank, rank) is an error.",
       .gpu = "all",
       .shape_fn = ReductionShapes,
       .strictness = Strictness::kStricterThanKernel,
       .samples = {"keep_dims=false/true: [a b c] {0}", "keep_dims=true/false: [a b] {0, -1}", "[a b c e] {1, 3}",
                   "[d...] {}", "[a b] 1"}},
      {.signature = "Any(input: bool, reduction_indices: Tidx) -> (output: bool) hands_on",
       .attrs = "keep_dims: bool = false; Tidx: type = int32 in [int32, int64]",
       .doc = "Whether some element is true over the named axes, which stay with size 1 if keep_dims. An axis "
              "outside [-rank, rank) is an error.",
       .gpu = "all",
       .shape_fn = ReductionShapes,
       .strictness = Strictness::kStricterThanKernel,
       .samples = {"keep_dims=false/true: [a b c] {0}", "keep_dims=true/false: [a b] {0, -1}", "[a b c e] {1, 3}",
                   "[d...] {}", "[a b] 1"}},
  };
  return rows;
}

}  // namespace plumb::topics
