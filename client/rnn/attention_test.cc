// Attention with scores that are equal or far apart, so that its weights are known.
#include "client/rnn/attention.h"

#include <array>
#include <cmath>

#include "client/gradients.h"
#include "client/program.h"
#include "client/rnn/rnn.h"
#include "client/testing.h"

namespace plumb {
namespace {

using ::testing::ElementsAre;

class Attentions : public OnEachBackend {
 protected:
  // Two places for each of two examples, [2, 2, 1].
  Output Memory() { return Constant(scope_, MakeTensor<float>({2, 2, 1}, {1, 3, -8, 8})); }
  std::vector<std::vector<double>> Fetch(const std::vector<Output>& fetches) {
    const NodeId init = InitializeAll(scope_);
    Program program(scope_, OpenSession(GetParam()));
    program.Run(init);
    std::vector<std::vector<double>> numbers;
    for (const Tensor& tensor : program.Fetch(fetches)) numbers.push_back(Numbers(tensor));
    return numbers;
  }
  std::vector<std::string> Names() {
    std::vector<std::string> names;
    for (const Variable& variable : scope_.variables()) names.push_back(variable.name());
    return names;
  }
};

// A query of 0 knows no difference; one of 100 or −100 takes the largest or the smallest key.
TEST_P(Attentions, OfLuongMultipliesQueriesAndKeys) {
  const AttentionPtr attention = LuongAttention(scope_, 1, Memory(), /*scaled=*/true, {.kernel = Filled(1)});
  const Output even = attention->Align(scope_, Matrix(2, 1, {0, 0}));
  const Output far = attention->Align(scope_, Matrix(2, 1, {100, -100}));
  EXPECT_THAT(Fetch({even, attention->Context(scope_, even), attention->Context(scope_, far)}),
              ElementsAre(ElementsAre(0.5, 0.5, 0.5, 0.5), ElementsAre(2, 0), ElementsAre(3, -8)));
  EXPECT_THAT(Names(), ElementsAre("memory_layer/kernel", "luong_attention/attention_g"));
}

// Keys of 1 and 3 and a query of −2 are opposite within the tanh, which 100 times v takes far apart.
TEST_P(Attentions, OfBahdanauAddsThem) {
  const Output memory = Constant(scope_, MakeTensor<float>({1, 2, 1}, {1, 3}));
  const AttentionPtr attention = BahdanauAttention(scope_, 1, memory, /*normalized=*/false, {.kernel = Filled(100)});
  const Output alignments = attention->Align(scope_, Matrix(1, 1, {-2}));
  EXPECT_THAT(Fetch({attention->Context(scope_, alignments)}), ElementsAre(ElementsAre(3)));
  EXPECT_THAT(Names(), ElementsAre("memory_layer/kernel", "bahdanau_attention/query_layer/kernel",
                                   "bahdanau_attention/attention_v"));
}

// Equal keys have equal scores, whatever v's length is.
TEST_P(Attentions, OfBahdanauMayBeNormalized) {
  const Output memory = Constant(scope_, MakeTensor<float>({1, 2, 1}, {5, 5}));
  const AttentionPtr attention = BahdanauAttention(scope_, 4, memory, /*normalized=*/true);
  EXPECT_THAT(Fetch({attention->Align(scope_, Matrix(1, 1, {7}))}), ElementsAre(ElementsAre(0.5, 0.5)));
  EXPECT_THAT(Names(), ElementsAre("memory_layer/kernel", "bahdanau_attention/query_layer/kernel",
                                   "bahdanau_attention/attention_v", "bahdanau_attention/attention_g",
                                   "bahdanau_attention/attention_b"));
}

// Weights by their places, of which the tests know the values: keys are the memory, the query is (2, −1) times itself,
// v is (3, 4).
Output KnownWeights(Scope& scope, DType, const Shape& shape) {
  if (shape.rank() == 1) return Constant(scope, MakeTensor<float>(shape, {3, 4}));
  return Constant(scope,
                  shape.dim(0) == 2 ? MakeTensor<float>(shape, {1, 0, 0, 1}) : MakeTensor<float>(shape, {2, -1}));
}

// softmax(g v / |v| · tanh(key + query + b)) over two keys.
std::vector<float> Bahdanau(const std::array<std::array<double, 2>, 2>& keys, double query, double scale,
                            const std::array<double, 2>& bias) {
  std::array<double, 2> scores = {};
  for (size_t place = 0; place < 2; ++place) {
    const double first = std::tanh(keys[place][0] + 2 * query + bias[0]);
    const double second = std::tanh(keys[place][1] - query + bias[1]);
    scores[place] = scale * (3 * first + 4 * second);
  }
  const double first = 1 / (1 + std::exp(scores[1] - scores[0]));
  return {static_cast<float>(first), static_cast<float>(1 - first)};
}

// Different keys and two units; v is 5 long. At first g is √½ and b is 0, then both are assigned.
TEST_P(Attentions, OfBahdanauFollowTheirFormula) {
  const Output memory = Constant(scope_, MakeTensor<float>({1, 2, 2}, {0.5, -0.25, -0.75, 1})),
               query = Matrix(1, 1, {0.25});
  const std::array<std::array<double, 2>, 2> keys = {{{0.5, -0.25}, {-0.75, 1}}};
  const auto align = [&](const char* name, bool normalized) {
    const auto named = scope_.Sub(name);
    return BahdanauAttention(scope_, 2, memory, normalized, {.kernel = KnownWeights})->Align(scope_, query);
  };
  const Output plain = align("plain", false), normalized = align("normalized", true);
  const auto find = [&](std::string_view end) {
    for (const Variable& variable : scope_.variables()) {
      if (variable.name().ends_with(end)) return variable.ref();
    }
    throw NotFound("no variable ends with ", end);
  };
  const NodeId assign = scope_.Group({scope_.Add("Assign", {find("attention_g"), Float(3)}),
                                      scope_.Add("Assign", {find("attention_b"), Floats({0.5, -0.125})})});
  const NodeId init = InitializeAll(scope_);
  Program program(scope_, OpenSession(GetParam()));
  program.Run(init);
  const auto expect = [&](Output alignments, double scale, const std::array<double, 2>& bias) {
    const Tensor value = program.Fetch(alignments);
    EXPECT_THAT(value.data<float>(), ::testing::Pointwise(::testing::FloatEq(), Bahdanau(keys, 0.25, scale, bias)));
  };
  expect(plain, 1, {});
  expect(normalized, std::sqrt(0.5) / 5, {});
  program.Run(assign);
  expect(normalized, 3.0 / 5, {0.5, -0.125});
}

// Scores are g times the products of queries and keys: 2 · (1 · ½ − 3 · ¼), and so on.
TEST_P(Attentions, OfLuongFollowTheirFormula) {
  const Output memory = Constant(scope_, MakeTensor<float>({1, 2, 2}, {0.5, -0.25, -0.75, 1}));
  const AttentionPtr attention = LuongAttention(scope_, 2, memory, /*scaled=*/true, {.kernel = KnownWeights});
  const Output alignments = attention->Align(scope_, Matrix(1, 2, {1, 3}));
  const Output context = attention->Context(scope_, alignments);
  const NodeId assign = scope_.Add("Assign", {scope_.variables()[1].ref(), Float(0.5)});
  const NodeId init = InitializeAll(scope_);
  Program program(scope_, OpenSession(GetParam()));
  program.Run(init);
  const auto expect = [&](double scale) {
    const double first = 1 / (1 + std::exp(scale * ((-0.75 + 3) - (0.5 - 0.75)))), second = 1 - first;
    const std::vector<float> places = {static_cast<float>(first), static_cast<float>(second)};
    const std::vector<float> mix = {static_cast<float>(0.5 * first - 0.75 * second),
                                    static_cast<float>(-0.25 * first + second)};
    const std::vector<Tensor> values = program.Fetch({alignments, context});
    EXPECT_THAT(values[0].data<float>(), ::testing::Pointwise(::testing::FloatEq(), places));
    EXPECT_THAT(values[1].data<float>(), ::testing::Pointwise(::testing::FloatEq(), mix));
  };
  expect(1);
  program.Run(assign);
  expect(0.5);
}

TEST_P(Attentions, EndWithTheMemory) {
  const AttentionPtr attention = LuongAttention(scope_, 1, Memory(), /*scaled=*/false,
                                                {.memory_sequence_length = Constant<int32_t>(scope_, {1, 2})});
  const Output alignments = attention->Align(scope_, Matrix(2, 1, {0, 0}));
  EXPECT_THAT(Fetch({alignments, attention->memory()}),
              ElementsAre(ElementsAre(1, 0, 0.5, 0.5), ElementsAre(1, 0, -8, 8)));
}

// The cell adds input, attention and state; all of its output's scores are 0, for the keys are.
TEST_P(Attentions, WrapCells) {
  const Activation none = [](Scope&, Output value) { return value; };
  const CellPtr adder = BasicRnnCell(1, {.activation = none, .kernel = Filled(1)});
  const AttentionPtr attention = LuongAttention(scope_, 1, Memory(), /*scaled=*/false, {.kernel = Filled(0)});
  const CellPtr cell = AttentionWrapper(adder, attention, {.output_attention = false});
  const Output inputs = Constant(scope_, MakeTensor<float>({2, 2, 1}, {1, 1, 5, 5}));
  const DynamicRnnResult result = DynamicRnn(scope_, cell, inputs);
  // Attention is 2 and 0 after the first step: 1, then 1 + 1 + 2; 5, then 5 + 5.
  EXPECT_THAT(Fetch({result.outputs, result.state[1], result.state[2]}),
              ElementsAre(ElementsAre(1, 4, 5, 10), ElementsAre(2, 0), ElementsAre(0.5, 0.5, 0.5, 0.5)));
}

// The cell adds 2, the attention before it, ½ and −1, and its state, 4: 5½. The context is 2, the mean of 1 and 3: the
// layer makes the attention (5½ + 2 · 100, 10 · 5½ + 2 · 1000) of both.
TEST_P(Attentions, WrapCellsWithALayer) {
  const Activation none = [](Scope&, Output value) { return value; };
  const Output memory = Constant(scope_, MakeTensor<float>({1, 2, 1}, {1, 3}));
  for (const bool output_attention : {true, false}) {
    const auto named = scope_.Sub(output_attention ? "attention" : "output");
    const AttentionPtr attention = LuongAttention(scope_, 1, memory, /*scaled=*/false, {.kernel = Filled(0)});
    const CellPtr cell = AttentionWrapper(BasicRnnCell(1, {.activation = none, .kernel = Filled(1)}), attention,
                                          {.attention_size = 2, .output_attention = output_attention});
    EXPECT_EQ(cell->output_size(), output_attention ? 2 : 1);
    const RnnState state = {Matrix(1, 1, {4}), Matrix(1, 2, {0.5, -1}), Matrix(1, 2, {0, 0})};
    const RnnStep step = cell->Next(scope_, Matrix(1, 1, {2}), state);
    const Variable layer = scope_.variables().back();
    const NodeId init = InitializeAll(scope_);
    Program program(scope_, OpenSession(GetParam()));
    program.Run(init);
    const FeedValue weights = {layer.value(), MakeTensor<float>({2, 2}, {1, 10, 100, 1000})};
    const std::vector<Tensor> values = program.Fetch({step.output, step.state[0], step.state[1]}, {weights});
    EXPECT_THAT(Numbers(values[1]), ElementsAre(5.5));
    EXPECT_THAT(Numbers(values[2]), ElementsAre(205.5, 2055));
    EXPECT_EQ(Numbers(values[0]), Numbers(values[output_attention ? 2 : 1]));
  }
}

TEST_P(Attentions, HaveTensorFlowsVariables) {
  const AttentionPtr attention = BahdanauAttention(scope_, 2, Memory());
  const CellPtr cell = AttentionWrapper(BasicLstmCell(3), attention, {.attention_size = 4});
  EXPECT_EQ(cell->output_size(), 4);
  const DynamicRnnResult result = DynamicRnn(scope_, cell, Constant(scope_, MakeTensor<float>({2, 1, 1}, {1, 2})));
  EXPECT_EQ(result.outputs.shape().ToString(), "[2,1,4]");
  EXPECT_THAT(Names(), ElementsAre("memory_layer/kernel", "rnn/attention_wrapper/basic_lstm_cell/kernel",
                                   "rnn/attention_wrapper/basic_lstm_cell/bias",
                                   "rnn/attention_wrapper/bahdanau_attention/query_layer/kernel",
                                   "rnn/attention_wrapper/bahdanau_attention/attention_v",
                                   "rnn/attention_wrapper/attention_layer/kernel"));
  const GradientValue slope = Gradients(scope_.builder(), {result.outputs}, {scope_.variables()[0].ref()})[0];
  EXPECT_FALSE(slope.IsNone()) << "the memory's weights learn too";
}

TEST_P(Attentions, RefuseWhatDoesNotFit) {
  const auto refused = [&](const std::string& text, auto make) { return Refuses(make, Code::kInvalidArgument, text); };
  EXPECT_TRUE(refused("[batch, time, depth]", [&] { LuongAttention(scope_, 1, Matrix(1, 1, {1})); }));
  EXPECT_TRUE(refused("positive number of units", [&] { LuongAttention(scope_, 0, Memory()); }));
  const AttentionPtr attention = LuongAttention(scope_, 2, Memory());
  EXPECT_TRUE(refused("as long as its keys", [&] { attention->Align(scope_, Matrix(2, 1, {1, 1})); }));
}
PLUMB_ON_EACH_BACKEND(Attentions);

}  // namespace
}  // namespace plumb
