// Single steps of every cell, worked out by hand: sigmoids are ½ or saturated, and the activation is left out, so that
// floats hold all numbers exactly.
#include "client/rnn/cells.h"

#include <set>

#include "client/program.h"
#include "client/rnn/rnn.h"
#include "client/testing.h"

namespace plumb {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;

// The same numbers whatever the shape, which must fit.
Initializer Values(std::vector<float> values) {
  return [values](Scope& scope, DType, const Shape& shape) {
    Tensor tensor(DType::kFloat, shape);
    Require(values.size() == static_cast<size_t>(shape.elements()), "the test has other weights than the cell");
    std::copy(values.begin(), values.end(), tensor.mutable_data<float>().begin());
    return Constant(scope, tensor);
  };
}

CellOptions Linear(Initializer kernel) {
  return {.activation = [](Scope&, Output value) { return value; }, .kernel = std::move(kernel), .bias = Filled(0)};
}

class Cells : public OnEachBackend {
 protected:
  // The output, then the parts of the state, after a step from x = [[2]].
  std::vector<std::vector<double>> Step(const CellPtr& cell, const RnnState& state) {
    return Step(cell, Matrix(1, 1, {2}), state);
  }
  std::vector<std::vector<double>> Step(const CellPtr& cell, Output input, const RnnState& state) {
    const RnnStep step = cell->Next(scope_, input, state);
    const NodeId init = InitializeAll(scope_);
    Program program(scope_, OpenSession(GetParam()));
    program.Run(init);
    std::vector<Output> fetches = {step.output};
    fetches.insert(fetches.end(), step.state.begin(), step.state.end());
    std::vector<std::vector<double>> numbers;
    for (const Tensor& tensor : program.Fetch(fetches)) numbers.push_back(Numbers(tensor));
    return numbers;
  }
  Output One(float value) { return Matrix(1, 1, {value}); }
  std::vector<std::string> Names() {
    std::vector<std::string> names;
    for (const Variable& variable : scope_.variables()) {
      names.push_back(Str(variable.name(), variable.shape().ToString()));
    }
    return names;
  }
};

TEST_P(Cells, BasicRnn) {
  EXPECT_THAT(Step(BasicRnnCell(1, Linear(Values({3, 1}))), {One(4)}), ElementsAre(ElementsAre(10), ElementsAre(10)));
  EXPECT_THAT(Step(BasicRnnCell(1, {.kernel = Filled(0), .name = "zero"}), {One(4)}),
              ElementsAre(ElementsAre(0), ElementsAre(0)));
}

// The gates are columns: reset, then update.
TEST_P(Cells, Gru) {
  const auto kernel = [](std::vector<float> gates) -> Initializer {
    return [gates](Scope& scope, DType dtype, const Shape& shape) {
      return shape.dim(1) == 2 ? Values(gates)(scope, dtype, shape) : Values({1, 1})(scope, dtype, shape);
    };
  };
  const auto named = [](CellOptions options, const char* name) {
    options.name = name;
    return options;
  };
  // Both ½: ½ · 4 + ½ · (2 + ½ · 4).
  EXPECT_THAT(Step(GruCell(1, Linear(kernel({0, 0, 0, 0}))), {One(4)})[0], ElementsAre(4));
  // Nothing reset, nothing kept: 2 + 4.
  EXPECT_THAT(Step(GruCell(1, named(Linear(kernel({100, -100, 0, 0})), "a")), {One(4)})[0], ElementsAre(6));
  // Reset, nothing kept: 2.
  EXPECT_THAT(Step(GruCell(1, named(Linear(kernel({-100, -100, 0, 0})), "b")), {One(4)})[0], ElementsAre(2));
  // All kept.
  EXPECT_THAT(Step(GruCell(1, named(Linear(kernel({0, 100, 0, 0})), "c")), {One(4)})[1], ElementsAre(4));
}

// The gates are columns: input, new memory, forget, output.
TEST_P(Cells, BasicLstm) {
  const auto after = [&](std::vector<float> kernel, double forget_bias, const char* name) {
    CellOptions options = Linear(Values(std::move(kernel)));
    options.name = name;
    return Step(BasicLstmCell(1, forget_bias, options), {One(8), One(4)});
  };
  // c = ½ · 8 + ½ · (2 + 4) = 7, h = ½ · 7.
  EXPECT_THAT(after({0, 1, 0, 0, 0, 1, 0, 0}, 0, "a"), ElementsAre(ElementsAre(3.5), ElementsAre(7), ElementsAre(3.5)));
  EXPECT_THAT(after({0, 1, 0, 0, 0, 1, 0, 0}, 100, "b")[1], ElementsAre(11)) << "all of c is kept";
  EXPECT_THAT(after({100, 1, 0, 0, 0, 1, 0, 0}, 0, "c")[1], ElementsAre(10)) << "all that is new is taken";
  EXPECT_THAT(after({0, 1, 100, 0, 0, 1, 0, 0}, 0, "d")[1], ElementsAre(11)) << "the forget gate is the third column";
  EXPECT_THAT(after({0, 1, 0, 100, 0, 1, 0, 0}, 0, "e")[0], ElementsAre(7)) << "all of c comes out";
}

TEST_P(Cells, LstmClipsAndProjects) {
  LstmOptions options;
  options.forget_bias = 0;
  options.cell_clip = 5;
  options.projection = 2;
  options.projection_clip = 3;
  // [x, h] is three long; only x counts. The projection is (1, 2).
  options.cell = Linear([](Scope& scope, DType dtype, const Shape& shape) {
    return shape.rank() == 2 && shape.dim(1) == 4 ? Values({0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0})(scope, dtype, shape)
                                                  : Values({1, 2})(scope, dtype, shape);
  });
  // c = ½ · 12 + ½ · 2 = 7, cut to 5; h = ½ · 5 · (1, 2), of which the second is cut to 3.
  EXPECT_THAT(Step(LstmCell(1, options), {One(12), Matrix(1, 2, {0, 0})}),
              ElementsAre(ElementsAre(2.5, 3), ElementsAre(5), ElementsAre(2.5, 3)));
}

// The input and the forget gate see the old memory (8), the output gate the new one.
TEST_P(Cells, LstmPeepholes) {
  LstmOptions options;
  options.forget_bias = 0;
  options.use_peepholes = true;
  int calls = 0;
  options.cell = Linear([&calls](Scope& scope, DType dtype, const Shape& shape) {
    if (shape.rank() == 2) return Values({0, 1, 0, 0, 0, 0, 0, 0})(scope, dtype, shape);
    const float weights[] = {100, -100, 100};  // forget, input, output
    return Values({weights[calls++]})(scope, dtype, shape);
  });
  EXPECT_THAT(Step(LstmCell(1, options), {One(8), One(0)}),
              ElementsAre(ElementsAre(8), ElementsAre(8), ElementsAre(8)));
}

TEST_P(Cells, InStacksPassOutputsOn) {
  CellOptions first = Linear(Values({1, 1})), second = Linear(Values({10, 1}));
  const CellPtr cell = MultiRnnCell({BasicRnnCell(1, first), BasicRnnCell(1, second)});
  EXPECT_THAT(Step(cell, {One(3), One(7)}), ElementsAre(ElementsAre(57), ElementsAre(5), ElementsAre(57)));
}

TEST_P(Cells, WithResidualsAddTheirInput) {
  EXPECT_THAT(Step(ResidualWrapper(BasicRnnCell(1, Linear(Values({1, 1})))), {One(3)}),
              ElementsAre(ElementsAre(7), ElementsAre(5)));
  const CellPtr wide = ResidualWrapper(BasicRnnCell(2, {.name = "wide"}));
  const auto use = [&] { wide->Next(scope_, Matrix(1, 1, {2}), {Matrix(1, 2, {0, 0})}); };
  EXPECT_TRUE(Refuses(use, Code::kInvalidArgument, "cannot be added"));
}

// Kept elements are doubled; the memory of an LSTM is left alone.
TEST_P(Cells, WithDropoutLoseOutputs) {
  const Output ones = Constant(scope_, MakeTensor<float>({1, 64}, std::vector<float>(64, 1)));
  CellOptions options = Linear(Filled(0));
  options.bias = Filled(0);
  const CellPtr inner = BasicLstmCell(64, 0, options);
  const CellPtr cell = DropoutWrapper(inner, {.output_keep = 0.5, .state_keep = 0.5, .seed = 3});
  const auto numbers = Step(cell, ones, {ones * 4, ones});  // without dropout c = 2 and h = 1
  for (const size_t dropped : {size_t{0}, size_t{2}}) {
    EXPECT_THAT(numbers[dropped], Each(::testing::AnyOf(0, 2)));
    EXPECT_THAT(numbers[dropped], AllOf(::testing::Contains(0), ::testing::Contains(2)));
  }
  EXPECT_THAT(numbers[1], Each(2));
  EXPECT_TRUE(Refuses([&] { DropoutWrapper(inner, {.input_keep = 0}); }, Code::kInvalidArgument, "(0, 1]"));
}

// The cell hands its input on: what of it is kept is four times as large, a quarter or so of all. Each of input, output
// and state has a mask of its own.
TEST_P(Cells, WithDropoutLoseInputs) {
  constexpr int64_t kSize = 64;
  const Output ones = Constant(scope_, MakeTensor<float>({1, kSize}, std::vector<float>(kSize, 1)));
  std::vector<float> identity(2 * kSize * kSize);
  for (int64_t i = 0; i < kSize; ++i) identity[i * kSize + i] = 1;
  for (const bool variational : {false, true}) {
    const auto named = scope_.Sub(variational ? "one_mask" : "masks");
    const auto through = [&](const char* name, DropoutOptions options) {
      CellOptions inner = Linear(Values(identity));
      inner.name = name;
      options.variational = variational;
      return Step(DropoutWrapper(BasicRnnCell(kSize, inner), options), ones, {ones * 0});
    };
    const auto of_input = through("input", {.input_keep = 0.25, .seed = 5});
    EXPECT_THAT(of_input[0], Each(::testing::AnyOf(0, 4)));
    const auto kept = std::count(of_input[0].begin(), of_input[0].end(), 4);
    EXPECT_TRUE(kept > 0 && kept < kSize / 2) << kept;
    EXPECT_EQ(of_input[1], of_input[0]) << "the state is not dropped besides";
    const auto of_output = through("output", {.output_keep = 0.25, .seed = 5});
    EXPECT_THAT(of_output[1], Each(1));
    EXPECT_NE(of_output[0], of_input[0]);
    const auto of_state = through("state", {.state_keep = 0.25, .seed = 5});
    EXPECT_THAT(of_state[0], Each(1));
    EXPECT_NE(of_state[1], of_input[0]);
    EXPECT_NE(of_state[1], of_output[0]);
  }
}

// Both rows of the batch lose the same elements, in both steps.
TEST_P(Cells, WithVariationalDropoutKeepOneMask) {
  const Output ones = Constant(scope_, MakeTensor<float>({2, 32}, std::vector<float>(64, 1)));
  const CellPtr cell = DropoutWrapper(BasicRnnCell(1, Linear(Filled(1))), {.input_keep = 0.5, .variational = true});
  const Output zero = Matrix(2, 1, {0, 0});
  const RnnStep first = cell->Next(scope_, ones, {zero}), second = cell->Next(scope_, ones, {zero});
  const Output both = JoinColumns(scope_, {first.output, second.output});
  const NodeId init = InitializeAll(scope_);
  Program program(scope_, OpenSession(GetParam()));
  program.Run(init);
  const auto numbers = Numbers(program.Fetch(both));
  EXPECT_THAT(numbers, Each(numbers[0]));
}

TEST_P(Cells, HaveTensorFlowsVariables) {
  const CellPtr stack = MultiRnnCell({BasicLstmCell(3), DropoutWrapper(GruCell(2), {.input_keep = 0.5})});
  stack->Build(scope_, "rnn", 4, DType::kFloat);
  stack->Next(scope_, Matrix(1, 4, {1, 2, 3, 4}), stack->ZeroState(scope_, Int(1), DType::kFloat));
  LstmOptions options;
  options.use_peepholes = true;
  options.projection = 2;
  LstmCell(3, options)->Build(scope_, "", 4, DType::kFloat);
  BasicRnnCell(3)->Build(scope_, "", 4, DType::kFloat);
  EXPECT_THAT(Names(), ElementsAre("rnn/multi_rnn_cell/cell_0/basic_lstm_cell/kernel[7,12]",
                                   "rnn/multi_rnn_cell/cell_0/basic_lstm_cell/bias[12]",
                                   "rnn/multi_rnn_cell/cell_1/gru_cell/gates/kernel[5,4]",
                                   "rnn/multi_rnn_cell/cell_1/gru_cell/gates/bias[4]",
                                   "rnn/multi_rnn_cell/cell_1/gru_cell/candidate/kernel[5,2]",
                                   "rnn/multi_rnn_cell/cell_1/gru_cell/candidate/bias[2]", "lstm_cell/kernel[6,12]",
                                   "lstm_cell/bias[12]", "lstm_cell/w_f_diag[3]", "lstm_cell/w_i_diag[3]",
                                   "lstm_cell/w_o_diag[3]", "lstm_cell/projection/kernel[3,2]",
                                   "basic_rnn_cell/kernel[7,3]", "basic_rnn_cell/bias[3]"));
}

TEST_P(Cells, RefuseWhatDoesNotFit) {
  const auto refused = [&](const std::string& text, auto make) { return Refuses(make, Code::kInvalidArgument, text); };
  const CellPtr cell = BasicRnnCell(1);
  EXPECT_TRUE(refused("positive", [] { BasicRnnCell(0); }));
  EXPECT_TRUE(refused("at least one", [] { MultiRnnCell({}); }));
  EXPECT_TRUE(refused("[batch, size]", [&] { cell->Next(scope_, Float(1), {Float(1)}); }));
  EXPECT_TRUE(refused("parts", [&] { cell->Next(scope_, Matrix(1, 1, {1}), {}); }));
  EXPECT_TRUE(refused("already", [&] { BasicRnnCell(1)->Next(scope_, Matrix(1, 1, {1}), {Matrix(1, 1, {1})}); }));
  EXPECT_TRUE(refused("floating", [&] { GruCell(1)->Build(scope_, "", 1, DType::kInt32); }));
}
PLUMB_ON_EACH_BACKEND(Cells);

// Unrolled steps draw numbers of their own.
TEST_P(Cells, WithDropoutLoseOtherElementsInEachStep) {
  constexpr int64_t kSize = 64;
  CellOptions options = Linear(Filled(0));
  options.bias = Filled(1);
  const CellPtr cell = DropoutWrapper(BasicRnnCell(kSize, options), {.output_keep = 0.5, .seed = 3});
  const Output ones = Constant(scope_, MakeTensor<float>({1, kSize}, std::vector<float>(kSize, 1)));
  const auto outputs = StaticRnn(scope_, cell, {ones, ones}, {}).outputs;
  const std::string init = scope_.NameOf(InitializeAll(scope_));
  const std::vector<Tensor> values = Evaluate(GetParam(), scope_, outputs, {}, {init});
  for (const Tensor& each : values) {
    EXPECT_THAT(Numbers(each), AllOf(::testing::Contains(0), ::testing::Contains(::testing::Gt(0))));
  }
  EXPECT_NE(Numbers(values[0]), Numbers(values[1]));
}

// Nor do input, output and state of one step draw those of another value of another step.
TEST_P(Cells, WithDropoutDrawEachMaskByItself) {
  const CellPtr cell = DropoutWrapper(BasicRnnCell(1, Linear(Filled(1))),
                                      {.input_keep = 0.5, .output_keep = 0.5, .state_keep = 0.5, .seed = 3});
  StaticRnn(scope_, cell, {One(1), One(2), One(3)}, {});
  std::vector<int64_t> seeds;
  for (const Node& node : scope_.builder().graph().nodes()) {
    if (node.IsOp("RandomUniform")) seeds.push_back(GetAttr<int64_t>(node.attrs, "seed2"));
  }
  EXPECT_EQ(seeds.size(), 9U);
  EXPECT_EQ(std::set<int64_t>(seeds.begin(), seeds.end()).size(), seeds.size());
}

}  // namespace
}  // namespace plumb
