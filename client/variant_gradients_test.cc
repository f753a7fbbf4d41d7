// Gradients of values in variants: of ragged tensors whose rows have rows, of composite values, of sparse matrices.
#include "client/gradients.h"
#include "client/testing.h"

namespace plumb {
namespace {

using ::testing::ElementsAre;

class VariantGradients : public OnEachBackend {
 protected:
  template <class T>
  Output Vector(std::initializer_list<T> values) {
    return Constant(scope_, MakeVector<T>(values));
  }
  // By x, where dy comes for y.
  std::vector<double> Gradient(Output y, Output dy, Output x) { return Value(DenseGradients({y * dy}, {x})[0]); }
};
PLUMB_ON_EACH_BACKEND(VariantGradients);

// [[[1], [2, 3]], [[4]]], in one variant and in one for each of the two rows.
TEST_P(VariantGradients, OfRowsThatHaveRows) {
  const Output x = Floats({1, 2, 3, 4}), dy = Floats({2, 3, 5, 7});
  const Output outer = Vector<int32_t>({0, 2, 3}), inner = Vector<int32_t>({0, 1, 3, 4});
  for (const bool is_batch : {false, true}) {
    const Output encoded =
        Call("RaggedTensorToVariant", {outer, inner, x}, {{"RAGGED_RANK", int64_t{2}}, {"batched_input", is_batch}});
    const NodeId decoded = scope_.Add("RaggedTensorFromVariant", {encoded},
                                      {{"input_ragged_rank", int64_t{is_batch ? 1 : 2}},
                                       {"output_ragged_rank", int64_t{2}},
                                       {"Tvalues", DType::kFloat},
                                       {"Tsplits", DType::kInt32}});
    const Output y = OutputOf(decoded, 2);
    EXPECT_THAT(Gradient(y * y, dy, x), ElementsAre(4, 12, 30, 56)) << is_batch;
  }
}

// Where no gradient comes for a row it is as many zeros as the outer splits say: here every inner row has one value.
TEST_P(VariantGradients, OfRowsForWhichNoneComes) {
  const Output x = Floats({1, 2, 3}), outer = Vector<int64_t>({0, 2, 3}), inner = Vector<int64_t>({0, 1, 2, 3});
  const Output encoded =
      Call("RaggedTensorToVariant", {outer, inner, x}, {{"RAGGED_RANK", int64_t{2}}, {"batched_input", true}});
  const Output none = Input(PartialShape({2}), "none", DType::kVariant);
  GradientOptions options;
  options.grad_ys = {none.endpoint};
  const Output gradient = DenseGradients({encoded}, {x}, options)[0];
  EXPECT_THAT(Value(gradient, {{"none", MakeVector<Variant>({{}, {}})}}), ElementsAre(0, 0, 0));
}

// Without splits there are no rows, and one variant.
TEST_P(VariantGradients, OfTensorsThatAreNotRagged) {
  const Output x = Floats({1, 2, 3});
  const Output encoded = Call("RaggedTensorToVariant", {x},
                              {{"RAGGED_RANK", int64_t{0}}, {"batched_input", false}, {"Tsplits", DType::kInt64}});
  const NodeId decoded =
      scope_.Add("RaggedTensorFromVariant", {encoded},
                 {{"input_ragged_rank", int64_t{0}}, {"output_ragged_rank", int64_t{0}}, {"Tvalues", DType::kFloat}});
  EXPECT_THAT(Gradient(OutputOf(decoded, 0), Floats({2, 3, 5}), x), ElementsAre(2, 3, 5));
}

TEST_P(VariantGradients, OfTheComponentsOfAValue) {
  const Output a = Floats({1, 2}), b = Matrix(1, 2, {3, 4});
  const AttrMap kind = {{"metadata", std::string("\n\x02\x08\x03")},
                        {"Tcomponents", std::vector<DType>(2, DType::kFloat)}};
  const Output value = Call("CompositeTensorVariantFromComponents", {a, b}, kind);
  const NodeId parts = scope_.Add("CompositeTensorVariantToComponents", {value}, kind);
  const Output y = OutputOf(parts, 0) * Floats({2, 3}) + OutputOf(parts, 1) * OutputOf(parts, 1) * Floats({5, 7});
  EXPECT_THAT(Gradient(y, Matrix(1, 2, {10, 100}), a), ElementsAre(20, 300));
  EXPECT_THAT(Gradient(y, Matrix(1, 2, {10, 100}), b), ElementsAre(300, 5600));
}

TEST_P(VariantGradients, OfTheElementsOfASparseMatrix) {
  const Output indices = Constant(scope_, MakeTensor<int64_t>({3, 2}, {0, 1, 0, 3, 2, 0})), x = Floats({1, 2, 3});
  const Output matrix = Call("SparseTensorToCSRSparseMatrix", {indices, x, Vector<int64_t>({4, 5})});
  const NodeId parts = scope_.Add("CSRSparseMatrixToSparseTensor", {matrix}, {{"type", DType::kFloat}});
  const Output y = OutputOf(parts, 1);
  EXPECT_THAT(Gradient(y * y, Floats({2, 3, 5}), x), ElementsAre(4, 12, 30));
}

}  // namespace
}  // namespace plumb
