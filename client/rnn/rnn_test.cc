// Cells run over sequences. The cell adds its input to its state, so that states are running sums.
#include "client/rnn/rnn.h"

#include "client/gradients.h"
#include "client/program.h"
#include "client/testing.h"

namespace plumb {
namespace {

using ::testing::ElementsAre;

class Rnns : public OnEachBackend {
 protected:
  CellPtr Adder() {
    return BasicRnnCell(1, {.activation = [](Scope&, Output value) { return value; }, .kernel = Filled(1)});
  }
  // Two sequences of three numbers, [batch, time, 1].
  Tensor Sequences() { return MakeTensor<float>({2, 3, 1}, {1, 2, 3, 10, 20, 30}); }
  std::vector<Output> Steps() { return {Matrix(2, 1, {1, 10}), Matrix(2, 1, {2, 20}), Matrix(2, 1, {3, 30})}; }

  std::vector<std::vector<double>> Fetch(const std::vector<Output>& fetches, const std::vector<FeedValue>& feeds = {}) {
    const NodeId init = InitializeAll(scope_);
    Program program(scope_, OpenSession(GetParam()));
    program.Run(init);
    std::vector<std::vector<double>> numbers;
    for (const Tensor& tensor : program.Fetch(fetches, feeds)) numbers.push_back(Numbers(tensor));
    return numbers;
  }
  std::vector<std::string> Names() {
    std::vector<std::string> names;
    for (const Variable& variable : scope_.variables()) names.push_back(variable.name());
    return names;
  }
};

TEST_P(Rnns, DynamicGoesThroughAllSteps) {
  const DynamicRnnResult result = DynamicRnn(scope_, Adder(), Constant(scope_, Sequences()));
  EXPECT_EQ(result.outputs.shape().ToString(), "[2,3,1]");
  EXPECT_THAT(Fetch({result.outputs, result.state[0]}),
              ElementsAre(ElementsAre(1, 3, 6, 10, 30, 60), ElementsAre(6, 60)));
  EXPECT_THAT(Names(), ElementsAre("rnn/basic_rnn_cell/kernel", "rnn/basic_rnn_cell/bias"));
}

// Nothing is known of batch and time before the run; all sequences end before the last step.
TEST_P(Rnns, DynamicCarriesStatesPastTheEnd) {
  const Output inputs = Input(PartialShape({-1, -1, 1}), "inputs");
  const Output lengths = Input(PartialShape({-1}), "lengths", DType::kInt64);
  const DynamicRnnResult result = DynamicRnn(scope_, Adder(), inputs, {.sequence_length = lengths});
  EXPECT_THAT(Fetch({result.outputs, result.state[0]}, {{inputs, Sequences()}, {lengths, MakeVector<int64_t>({1, 2})}}),
              ElementsAre(ElementsAre(1, 0, 0, 10, 30, 0), ElementsAre(1, 30)));
}

TEST_P(Rnns, DynamicWithLengthsOfZeroKeepsTheInitialState) {
  const RnnOptions options = {.sequence_length = Constant<int32_t>(scope_, {0, 0}),
                              .initial_state = {Matrix(2, 1, {5, 6})}};
  const DynamicRnnResult result = DynamicRnn(scope_, Adder(), Constant(scope_, Sequences()), options);
  EXPECT_THAT(Fetch({result.outputs, result.state[0]}), ElementsAre(ElementsAre(0, 0, 0, 0, 0, 0), ElementsAre(5, 6)));
}

TEST_P(Rnns, DynamicTakesTimeFirst) {
  const Output inputs = Constant(scope_, MakeTensor<float>({3, 2, 1}, {1, 10, 2, 20, 3, 30}));
  const DynamicRnnResult result = DynamicRnn(scope_, Adder(), inputs, {.time_major = true});
  EXPECT_THAT(Fetch({result.outputs}), ElementsAre(ElementsAre(1, 10, 3, 30, 6, 60)));
}

// An input counts once for each step from its own on.
TEST_P(Rnns, DynamicHasGradients) {
  const Output inputs = Constant(scope_, Sequences());
  const Output initial = Matrix(2, 1, {0, 0});
  const DynamicRnnResult result = DynamicRnn(
      scope_, Adder(), inputs, {.sequence_length = Constant<int32_t>(scope_, {3, 2}), .initial_state = {initial}});
  const Variable kernel = scope_.variables()[0];
  const auto slopes = DenseGradients({result.outputs}, {inputs, initial, kernel.ref()});
  // The kernel's first row multiplies inputs: 1 · 3 + 2 · 2 + 3 and 10 · 2 + 20; its second one states:
  // their derivative adds Σ states before, again carried on: (1 · 2 + 3) and 10.
  EXPECT_THAT(Fetch({slopes[0], slopes[1], slopes[2]}),
              ElementsAre(ElementsAre(3, 2, 1, 2, 1, 0), ElementsAre(3, 2), ElementsAre(50, 15)));
}

TEST_P(Rnns, StaticGoesThroughAllSteps) {
  const StaticRnnResult result = StaticRnn(scope_, Adder(), Steps());
  EXPECT_THAT(Fetch({result.outputs[0], result.outputs[1], result.outputs[2], result.state[0]}),
              ElementsAre(ElementsAre(1, 10), ElementsAre(3, 30), ElementsAre(6, 60), ElementsAre(6, 60)));
  EXPECT_THAT(Names(), ElementsAre("rnn/basic_rnn_cell/kernel", "rnn/basic_rnn_cell/bias"));
}

TEST_P(Rnns, StaticCarriesStatesPastTheEnd) {
  const std::vector<Output> steps = Steps();
  const StaticRnnResult result =
      StaticRnn(scope_, Adder(), steps, {.sequence_length = Constant<int32_t>(scope_, {1, 2})});
  const auto slopes = DenseGradients({result.state[0]}, steps);
  EXPECT_THAT(Fetch({result.outputs[0], result.outputs[1], result.outputs[2], result.state[0]}),
              ElementsAre(ElementsAre(1, 10), ElementsAre(0, 30), ElementsAre(0, 0), ElementsAre(1, 30)));
  EXPECT_THAT(Fetch(slopes), ElementsAre(ElementsAre(1, 1), ElementsAre(0, 1), ElementsAre(0, 0)));
}

TEST_P(Rnns, DynamicInBothDirections) {
  const BidirectionalOptions options = {.sequence_length = Constant<int32_t>(scope_, {2, 3})};
  const BothDirections both = BidirectionalDynamicRnn(scope_, Adder(), Adder(), Constant(scope_, Sequences()), options);
  EXPECT_THAT(Fetch({both.forward.outputs, both.backward.outputs, both.forward.state[0], both.backward.state[0]}),
              ElementsAre(ElementsAre(1, 3, 0, 10, 30, 60), ElementsAre(3, 2, 0, 60, 50, 30), ElementsAre(3, 60),
                          ElementsAre(3, 60)));
  EXPECT_THAT(Names(),
              ElementsAre("bidirectional_rnn/fw/basic_rnn_cell/kernel", "bidirectional_rnn/fw/basic_rnn_cell/bias",
                          "bidirectional_rnn/bw/basic_rnn_cell/kernel", "bidirectional_rnn/bw/basic_rnn_cell/bias"));
}

TEST_P(Rnns, StaticInBothDirections) {
  const StaticBothDirections all = BidirectionalStaticRnn(scope_, Adder(), Adder(), Steps());
  EXPECT_THAT(
      Fetch({all.outputs[0], all.outputs[2], all.forward_state[0], all.backward_state[0]}),
      ElementsAre(ElementsAre(1, 6, 10, 60), ElementsAre(6, 3, 60, 30), ElementsAre(6, 60), ElementsAre(6, 60)));
}

TEST_P(Rnns, StaticInBothDirectionsWithLengths) {
  const StaticBothDirections all = BidirectionalStaticRnn(
      scope_, Adder(), Adder(), Steps(), {.sequence_length = Constant<int32_t>(scope_, {2, 3}), .scope = "both"});
  EXPECT_THAT(Fetch({all.outputs[0], all.outputs[1], all.outputs[2]}),
              ElementsAre(ElementsAre(1, 3, 10, 60), ElementsAre(3, 2, 30, 50), ElementsAre(0, 0, 60, 30)));
  EXPECT_EQ(Names().front(), "both/fw/basic_rnn_cell/kernel");
}

// Each direction has a state of its own to begin with.
TEST_P(Rnns, InBothDirectionsBeginWithTheirStates) {
  const BidirectionalOptions options = {.initial_state_forward = {Matrix(2, 1, {100, 200})},
                                        .initial_state_backward = {Matrix(2, 1, {1000, 2000})},
                                        .time_major = true};
  const Output inputs = Constant(scope_, MakeTensor<float>({3, 2, 1}, {1, 10, 2, 20, 3, 30}));
  const BothDirections both = BidirectionalDynamicRnn(scope_, Adder(), Adder(), inputs, options);
  EXPECT_THAT(Fetch({both.forward.outputs, both.backward.outputs, both.forward.state[0], both.backward.state[0]}),
              ElementsAre(ElementsAre(101, 210, 103, 230, 106, 260), ElementsAre(1006, 2060, 1005, 2050, 1003, 2030),
                          ElementsAre(106, 260), ElementsAre(1006, 2060)));
}

TEST_P(Rnns, StaticBeginWithTheirStates) {
  const Output state = Matrix(2, 1, {100, 200}), other = Matrix(2, 1, {1000, 2000});
  const StaticRnnResult one = StaticRnn(scope_, Adder(), Steps(), {.initial_state = {state}, .scope = "one"});
  const StaticBothDirections all = BidirectionalStaticRnn(
      scope_, Adder(), Adder(), Steps(), {.initial_state_forward = {state}, .initial_state_backward = {other}});
  EXPECT_THAT(Fetch({one.outputs[0], one.state[0], all.outputs[0], all.forward_state[0], all.backward_state[0]}),
              ElementsAre(ElementsAre(101, 210), ElementsAre(106, 260), ElementsAre(101, 1006, 210, 2060),
                          ElementsAre(106, 260), ElementsAre(1006, 2060)));
}

// A stack's lower cells are built inside the loop; its variables live outside of it all the same.
TEST_P(Rnns, DynamicRunsStacks) {
  const auto adder = [&] {
    return BasicRnnCell(1, {.activation = [](Scope&, Output value) { return value; }, .kernel = Filled(1)});
  };
  const DynamicRnnResult result = DynamicRnn(scope_, MultiRnnCell({adder(), adder()}), Constant(scope_, Sequences()));
  EXPECT_THAT(Fetch({result.outputs}), ElementsAre(ElementsAre(1, 4, 10, 10, 40, 100)));
  EXPECT_EQ(Names().back(), "rnn/multi_rnn_cell/cell_1/basic_rnn_cell/bias");
}

TEST_P(Rnns, LearnFromTheirOutputs) {
  const DynamicRnnResult result = DynamicRnn(scope_, Adder(), Constant(scope_, Sequences()));
  const Variable bias = scope_.variables()[1];
  // The bias is added at each of three steps and carried on: 3 + 2 + 1 for each sequence.
  EXPECT_THAT(Fetch(DenseGradients({result.outputs}, {bias.ref()})), ElementsAre(ElementsAre(12)));
}

// One cell, and so one set of weights, run in both ways: what is positive adds up to the same in any order.
TEST_P(Rnns, LearnTheSameInALoopAsUnrolled) {
  LstmOptions options;
  options.use_peepholes = true;
  options.projection = 2;
  options.cell.kernel = Filled(0.25);
  const CellPtr cell = LstmCell(3, options);
  const std::vector<Output> steps = {Matrix(2, 1, {0.5, 1}), Matrix(2, 1, {0.25, 2}), Matrix(2, 1, {1, 0.5})};
  const Output inputs = scope_.Call("Pack", steps, {{"N", int64_t{3}}, {"axis", int64_t{1}}});
  const Output lengths = Constant<int32_t>(scope_, {2, 3});
  const DynamicRnnResult loop = DynamicRnn(scope_, cell, inputs, {.sequence_length = lengths});
  const StaticRnnResult unrolled = StaticRnn(scope_, cell, steps, {.sequence_length = lengths});
  std::vector<Output> weights;
  for (const Variable& variable : scope_.variables()) weights.push_back(variable.ref());
  const size_t count = weights.size();
  ASSERT_EQ(count, 6U) << "the second run shares the weights of the first";
  std::vector<Output> slopes = DenseGradients({loop.outputs, loop.state[0], loop.state[1]}, weights);
  std::vector<Output> results = unrolled.outputs;
  results.insert(results.end(), unrolled.state.begin(), unrolled.state.end());
  const std::vector<Output> others = DenseGradients(results, weights);
  slopes.insert(slopes.end(), others.begin(), others.end());
  const auto numbers = Fetch(slopes);
  for (size_t i = 0; i < count; ++i) {
    const std::vector<float> in_loop(numbers[i].begin(), numbers[i].end());
    const std::vector<float> in_line(numbers[count + i].begin(), numbers[count + i].end());
    EXPECT_THAT(in_loop, ::testing::Pointwise(::testing::FloatEq(), in_line)) << scope_.variables()[i].name();
  }
}

TEST_P(Rnns, RefuseWhatDoesNotFit) {
  const auto refused = [&](const std::string& text, auto make) { return Refuses(make, Code::kInvalidArgument, text); };
  const Output inputs = Constant(scope_, Sequences());
  EXPECT_TRUE(refused("[batch, time, size]", [&] { DynamicRnn(scope_, Adder(), Matrix(1, 1, {1})); }));
  EXPECT_TRUE(refused("a batch of 2", [&] {
    DynamicRnn(scope_, Adder(), inputs, {.sequence_length = Constant<int32_t>(scope_, {1, 2, 3}), .scope = "a"});
  }));
  EXPECT_TRUE(refused("integers", [&] {
    DynamicRnn(scope_, Adder(), inputs, {.sequence_length = Floats({1, 2}), .scope = "b"});
  }));
  EXPECT_TRUE(refused("parts", [&] {
    DynamicRnn(scope_, Adder(), inputs, {.initial_state = {inputs, inputs}, .scope = "c"});
  }));
  EXPECT_TRUE(refused("at least one", [&] { StaticRnn(scope_, Adder(), {}); }));
}
PLUMB_ON_EACH_BACKEND(Rnns);

}  // namespace
}  // namespace plumb
