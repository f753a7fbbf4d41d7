#include "spec/ops/linalg/matrices.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shapes_of_the_run.h"

namespace plumb::topics {
namespace {

Shapes OneOfEach(const ShapeContext& c) {
  const PartialShape batch = MatrixBatch(c, 0);
  MergeDims(c, MatrixDim(c, 0, 0), MatrixDim(c, 0, 1));
  return Shapes(static_cast<size_t>(c.num_outputs()), batch);
}

// d det A = det A · tr(A⁻¹·dA), d log |det A| = tr(A⁻¹·dA).
Values TimesInverse(Gradient& g, Endpoint factors) {
  const Endpoint inverse = g.Call("MatrixInverse", {g.x()}, {{"adjoint", true}});
  const Endpoint shape = Concat(g, {g.ShapeOf(factors), g.Int32s({1, 1})});
  return {g.Call("Mul", {g.Call("Reshape", {factors, shape}), inverse})};
}

Values MatrixDeterminantGradient(Gradient& g) { return TimesInverse(g, g.Call("Mul", {g.dy(), g.Conjugate(g.y())})); }

// The sign counts as a constant.
Values LogMatrixDeterminantGradient(Gradient& g) { return TimesInverse(g, g.dy(1)); }

}  // namespace

std::span<const OpRow> LinalgDeterminant() {
  static const OpRow rows[] = {
      {.signature = "LogMatrixDeterminant(input: T) -> (sign: T, log_abs_determinant: T) may_be_singular",
       .attrs = "T: type in [float16, float32, float64, complexes]",
       .doc = "The sign and the logarithm of the absolute value of each square matrix' determinant; 0 and -infinity "
              "where it is singular.",
       .cpu = "T in [float32, float64, complexes]",
       .gpu = "T in [float32, float64, complexes]",
       .shape_fn = OneOfEach,
       .cost = 64,
       .accuracy = Composed(1),
       .gradient = LogMatrixDeterminantGradient,
       .samples = {"[b... 1 1] finite", "[b... 2 2] finite", "[b 3 3] finite", "[b 5 5] finite", "[17 17] finite",
                   "[0 0]", "[b 0 0]"}},
      {.signature = "MatrixDeterminant(input: T) -> (output: T) may_be_singular",
       .attrs = "T: type in [float16, float32, float64, complexes]",
       .doc = "The determinant of each square matrix.",
       .cpu = "T in [float32, float64, complexes]",
       .gpu = "T in [float32, float64, complexes]",
       .shape_fn = OneOfEach,
       .cost = 64,
       .accuracy = Composed(1),
       .gradient = MatrixDeterminantGradient,
       .samples = {"[b... 1 1] finite", "[b... 2 2] finite", "[b 3 3] finite", "[b 5 5] finite", "[17 17] finite",
                   "[0 0]", "[b 0 0]"}},
      {.signature = "BatchMatrixDeterminant(input: T) -> (output: T) may_be_singular",
       .attrs = "T: type in [float32, float64, complexes]",
       .doc = "An older name of MatrixDeterminant; its shape is not known before the run.",
       .cpu = "T in [float32, float64, complexes]",
       .shape_fn = ShapesOfTheRun,
       .cost = 64,
       .accuracy = Composed(1),
       .samples = {"[b... 1 1] finite", "[b... 2 2] finite", "[b 3 3] finite", "[b 5 5] finite", "[17 17] finite",
                   "[0 0]", "[b 0 0]"},
       .deprecated = {13, "Use MatrixDeterminant instead."}},
  };
  return rows;
}

}  // namespace plumb::topics
