// Gradients by variables: of what is read, and of the rows and slices that are gathered, as slices or dense.
#include "client/control_flow/cond.h"
#include "client/control_flow/while_loop.h"
#include "client/gradients.h"
#include "client/testing.h"
#include "client/variable.h"

namespace plumb {
namespace {

using ::testing::ElementsAre;

class VariableGradients : public OnEachBackend {
 protected:
  // A handle to a variable that an initialising step fills.
  Output HandleTo(const Tensor& value) {
    const Output handle =
        scope_.Call("VarHandleOp", {}, {{"dtype", value.dtype()}, {"shape", PartialShape(value.shape())}}, "variable");
    initializer_ = scope_.NameOf(scope_.Add("AssignVariableOp", {handle, Constant(scope_, value)}));
    return handle;
  }
  // By the variable, where dy comes for y.
  GradientValue Gradient(Output y, Output dy, Output handle) {
    GradientOptions options;
    options.grad_ys = {dy.endpoint};
    return Gradients(scope_.builder(), {y}, {handle}, options)[0];
  }
  std::vector<double> Numbers(Endpoint value) {
    return plumb::Numbers(Evaluate(GetParam(), scope_, {Output{&scope_.builder(), value}}, {}, {initializer_})[0]);
  }
  std::vector<double> Dense(const GradientValue& value) { return Numbers(Densify(scope_.builder(), value)); }
  PartialShape ShapeOf(Endpoint value) { return scope_.builder().shape(value); }
  Output Indices(const Shape& shape, std::initializer_list<int32_t> values) {
    return Constant(scope_, MakeTensor<int32_t>(shape, values));
  }
  AttrMap Floats() { return {{"dtype", DType::kFloat}}; }

  std::string initializer_;
};
PLUMB_ON_EACH_BACKEND(VariableGradients);

const Tensor kMatrix = MakeTensor<float>({3, 2}, {1, 2, 3, 4, 5, 6});

TEST_P(VariableGradients, OfReadValues) {
  const Output handle = HandleTo(kMatrix), value = scope_.Call("ReadVariableOp", {handle}, Floats());
  const GradientValue gradient = Gradient(value * value, Matrix(3, 2, {2, 3, 5, 7, 11, 13}), handle);
  EXPECT_THAT(Dense(gradient), ElementsAre(4, 12, 30, 56, 110, 156));
}

// Rows that are gathered from what was read are slices, and stay slices.
TEST_P(VariableGradients, OfRowsOfReadValues) {
  const Output handle = HandleTo(kMatrix), value = scope_.Call("ReadVariableOp", {handle}, Floats());
  const Output rows = scope_.Call("GatherV2", {value, Indices({2}, {2, 0}), Int(0)});
  const GradientValue gradient = Gradient(rows, Matrix(2, 2, {2, 3, 5, 7}), handle);
  EXPECT_EQ(gradient.kind, GradientValue::Kind::kSparse);
  EXPECT_THAT(Dense(gradient), ElementsAre(5, 7, 0, 0, 2, 3));
}

// A row that is taken twice gets both gradients; of each the slices are the rows of dy, and their place is known.
TEST_P(VariableGradients, OfGatheredRows) {
  const Output handle = HandleTo(kMatrix);
  const Output rows = scope_.Call("ResourceGather", {handle, Indices({3}, {2, 0, 2})},
                                  {{"dtype", DType::kFloat}, {"validate_indices", false}});
  const GradientValue gradient = Gradient(rows, Matrix(3, 2, {2, 3, 5, 7, 11, 13}), handle);
  ASSERT_EQ(gradient.kind, GradientValue::Kind::kSparse);
  EXPECT_THAT(Numbers(gradient.values), ElementsAre(2, 3, 5, 7, 11, 13));
  EXPECT_THAT(Numbers(gradient.indices), ElementsAre(2, 0, 2));
  EXPECT_THAT(Numbers(gradient.dense_shape), ElementsAre(3, 2));
  EXPECT_THAT(Dense(gradient), ElementsAre(5, 7, 0, 0, 13, 16));
}

// TensorFlow's rule takes each index for a row of the variable, and what comes for elements for rows.
TEST_P(VariableGradients, OfElementsGatheredInBatchesAreRefused) {
  const Output handle = HandleTo(kMatrix);
  const Output elements = scope_.Call("ResourceGather", {handle, Indices({3, 1}, {1, 0, 1})},
                                      {{"dtype", DType::kFloat}, {"batch_dims", int64_t{1}}});
  EXPECT_EQ(elements.shape(), PartialShape({3, 1}));
  EXPECT_TRUE(Refuses(
      [&] {
        Dense(Gradient(elements, Matrix(3, 1, {2, 3, 5}), handle));
      },
      Code::kInvalidArgument, "Reshape"));
}

TEST_P(VariableGradients, OfRowsGatheredByAMatrixOfIndices) {
  const Output handle = HandleTo(kMatrix);
  const Output rows = scope_.Call("ResourceGather", {handle, Indices({2, 1}, {1, 0})}, Floats());
  EXPECT_EQ(rows.shape(), PartialShape({2, 1, 2}));
  const Output dy = Constant(scope_, MakeTensor<float>({2, 1, 2}, {2, 3, 5, 7}));
  EXPECT_THAT(Dense(Gradient(rows, dy, handle)), ElementsAre(5, 7, 2, 3, 0, 0));
}

// Rows that a column of indices names are slices.
TEST_P(VariableGradients, OfRowsThatPositionsName) {
  const Output handle = HandleTo(kMatrix);
  const Output rows = scope_.Call("ResourceGatherNd", {handle, Indices({3, 1}, {2, 0, 2})}, Floats());
  EXPECT_EQ(rows.shape(), PartialShape({3, 2}));
  const GradientValue gradient = Gradient(rows, Matrix(3, 2, {2, 3, 5, 7, 11, 13}), handle);
  ASSERT_EQ(gradient.kind, GradientValue::Kind::kSparse);
  EXPECT_THAT(Numbers(gradient.indices), ElementsAre(2, 0, 2));
  EXPECT_THAT(Dense(gradient), ElementsAre(5, 7, 0, 0, 13, 16));
}

// Elements have two coordinates, of which neither is a row by itself.
TEST_P(VariableGradients, OfElementsThatPositionsName) {
  const Output handle = HandleTo(kMatrix);
  const Output elements = scope_.Call("ResourceGatherNd", {handle, Indices({3, 2}, {2, 1, 0, 0, 2, 1})}, Floats());
  EXPECT_EQ(elements.shape(), PartialShape({3}));
  const GradientValue gradient = Gradient(elements, Constant(scope_, MakeVector<float>({2, 3, 5})), handle);
  EXPECT_EQ(gradient.kind, GradientValue::Kind::kDense);
  EXPECT_THAT(Dense(gradient), ElementsAre(3, 0, 0, 0, 0, 7));
}

// Two coordinates in three dimensions name vectors; rows in a matrix of columns are no slices either.
TEST_P(VariableGradients, OfSlicesThatPositionsName) {
  const Output handle = HandleTo(MakeTensor<float>({2, 1, 2}, {1, 2, 3, 4}));
  const Output vectors = scope_.Call("ResourceGatherNd", {handle, Indices({1, 2}, {1, 0})}, Floats());
  EXPECT_EQ(vectors.shape(), PartialShape({1, 2}));
  EXPECT_THAT(Dense(Gradient(vectors, Matrix(1, 2, {2, 3}), handle)), ElementsAre(0, 0, 2, 3));
  const Output matrices = scope_.Call("ResourceGatherNd", {handle, Indices({1, 2, 1}, {1, 0})}, Floats());
  EXPECT_EQ(matrices.shape(), PartialShape({1, 2, 1, 2}));
  const Output dy = Constant(scope_, MakeTensor<float>({1, 2, 1, 2}, {2, 3, 5, 7}));
  EXPECT_THAT(Dense(Gradient(matrices, dy, handle)), ElementsAre(5, 7, 2, 3));
}

TEST_P(VariableGradients, OfReferencesThatAreHandedOn) {
  const Variable w = MakeVariable(scope_, Constant(scope_, MakeVector<float>({2, 3})), {.name = "w"});
  const Output same = scope_.Call("RefIdentity", {w.ref()});
  const Output y = scope_.Call("Mul", {same, same});
  initializer_ = scope_.NameOf(InitializeAll(scope_));
  EXPECT_THAT(Dense(Gradient(y, Constant(scope_, MakeVector<float>({5, 7})), w.ref())), ElementsAre(20, 42));
}

// On one of the two ways it is squared.
TEST_P(VariableGradients, OfReferencesThatAreSwitched) {
  const Variable w = MakeVariable(scope_, Constant(scope_, MakeVector<float>({2, 3})), {.name = "w"});
  initializer_ = scope_.NameOf(InitializeAll(scope_));
  for (const bool is_squared : {false, true}) {
    const NodeId ways = scope_.Add("RefSwitch", {w.ref(), Constant(scope_, is_squared)});
    const Output off = {&scope_.builder(), Endpoint{ways, 0}}, on = {&scope_.builder(), Endpoint{ways, 1}};
    const Output y = scope_.Call("Merge", {scope_.Call("Identity", {off}), on * on});
    EXPECT_THAT(Dense(Gradient(y, Constant(scope_, MakeVector<float>({5, 7})), w.ref())),
                is_squared ? ElementsAre(20, 42) : ElementsAre(5, 7));
  }
}

// A handle that one branch alone reads, as a conditional's and as bare nodes: zeros come from the other one.
TEST_P(VariableGradients, OfWhatOneBranchReads) {
  const Output handle = HandleTo(kMatrix);
  for (const bool taken : {true, false}) {
    const Output loss = Cond(
        scope_, Constant(scope_, taken),
        [&] {
          const Output value = scope_.Call("ReadVariableOp", {handle}, Floats());
          return scope_.Call("Sum", {value * value, Indices({2}, {0, 1})});
        },
        [&] { return Float(7); });
    const GradientValue gradient = Gradient(loss, Float(1), handle);
    ASSERT_FALSE(gradient.IsNone());
    EXPECT_THAT(Dense(gradient), taken ? ElementsAre(2, 4, 6, 8, 10, 12) : ElementsAre(0, 0, 0, 0, 0, 0));
  }
}

// Rows that a loop looks up are rows of the variable behind the handle.
TEST_P(VariableGradients, OfRowsInALoop) {
  const Output handle = HandleTo(kMatrix);
  const LoopVars ends = WhileLoop(
      scope_, {Int(0), Float(0)}, [&](const LoopVars& vars) { return vars[0] < 3; },
      [&](const LoopVars& vars) {
        const Output id = scope_.Call("ExpandDims", {vars[0], Int(0)});
        const Output row = scope_.Call("ResourceGather", {handle, id}, Floats());
        return LoopVars{vars[0] + 1, vars[1] + scope_.Call("Sum", {row * row, Indices({2}, {0, 1})})};
      });
  const GradientValue gradient = Gradient(ends[1], Float(1), handle);
  ASSERT_FALSE(gradient.IsNone());
  EXPECT_THAT(Dense(gradient), ElementsAre(2, 4, 6, 8, 10, 12));
}

}  // namespace
}  // namespace plumb
