// The character language model, in a loop and unrolled.
#include "models/char_lstm.h"

#include <gtest/gtest.h>

#include "backends/backends.h"
#include "client/program.h"
#include "models/parameters.h"
#include "models/testing.h"

namespace plumb::models {
namespace {

constexpr int64_t kSteps = 5, kBatch = 3, kUnits = 4, kVocabulary = 7;

// The losses of a few updates on one batch, and the state after the first.
struct Trained {
  int64_t parameters;
  std::vector<float> losses = {};
  std::vector<Tensor> state = {};
};

Trained Train(const char* backend, bool is_unrolled) {
  constexpr int kUpdates = 6;
  CharLstmOptions options = {.vocabulary = kVocabulary, .embedding = 3, .units = kUnits, .steps = kSteps};
  options.batch = kBatch;
  options.is_unrolled = is_unrolled;
  Scope scope;
  const auto optimizer = Sgd({.learning_rate = 0.5});
  const CharLstm model = BuildCharLstm(scope, *optimizer, options);
  Program program(scope, OpenSession(backend));
  program.Run(model.init);
  Tensor words(DType::kInt32, {kSteps, kBatch}), targets(DType::kInt32, {kSteps, kBatch});
  for (int32_t i = 0; i < kSteps * kBatch; ++i) {
    words.mutable_data<int32_t>()[i] = i * 3 % kVocabulary;
    targets.mutable_data<int32_t>()[i] = (i * 3 + 1) % kVocabulary;
  }
  Tensor zeros(DType::kFloat, {kBatch, kUnits});
  for (float& value : zeros.mutable_data<float>()) value = 0;
  const std::vector<FeedValue> feeds = {
      {model.inputs, words}, {model.targets, targets}, {model.cell_in, zeros}, {model.hidden_in, zeros}};
  Trained trained = {.parameters = ParameterCount(scope)};
  trained.state = program.Fetch(std::vector{model.cell_out, model.hidden_out}, feeds);
  for (int i = 0; i < kUpdates; ++i) {
    trained.losses.push_back(program.Fetch(model.loss, feeds).scalar<float>());
    program.Run(model.train, feeds);
  }
  return trained;
}

// What is computed forward is the same ops on the same numbers.
TEST(CharLstm, UnrolledItIsTheSameModel) {
  for (const char* backend : {"reference", "cpu"}) {
    const Trained loop = Train(backend, false), unrolled = Train(backend, true);
    EXPECT_EQ(loop.parameters, unrolled.parameters);
    EXPECT_EQ(loop.losses[0], unrolled.losses[0]) << backend;
    for (size_t i = 0; i < loop.state.size(); ++i) {
      EXPECT_EQ(Floats32(loop.state[i]), Floats32(unrolled.state[i])) << backend;
    }
    for (const Trained& trained : {loop, unrolled}) EXPECT_LT(trained.losses.back(), trained.losses.front()) << backend;
  }
}

// The logits [steps · batch] rows, and the state in the end, of reading these characters from a state.
struct Reading {
  std::vector<float> logits;
  std::vector<Tensor> state;
};
Reading Read(const char* backend, int64_t steps, const std::vector<int32_t>& characters,
             const std::vector<Tensor>& state) {
  CharLstmOptions options = {
      .vocabulary = kVocabulary, .embedding = 3, .units = kUnits, .steps = steps, .batch = kBatch};
  Scope scope;
  const auto optimizer = Sgd({.learning_rate = 0.5});
  const CharLstm model = BuildCharLstm(scope, *optimizer, options);
  const Output logits = LogitsOf(scope, model.loss);
  Program program(scope, OpenSession(backend));
  program.Run(model.init);
  const Tensor words = MakeTensor<int32_t>({steps, kBatch}, characters);
  const std::vector<FeedValue> feeds = {
      {model.inputs, words}, {model.targets, words}, {model.cell_in, state[0]}, {model.hidden_in, state[1]}};
  const std::vector<Tensor> read = program.Fetch(std::vector{logits, model.cell_out, model.hidden_out}, feeds);
  return {Floats32(read[0]), {read[1], read[2]}};
}

// Half of a text, and then the other from the state that the first left, is the text.
TEST(CharLstm, ReadsOnFromItsState) {
  const std::vector<int32_t> all = {1, 2, 3, 4, 5, 6, 0, 1, 4, 6, 3, 2};
  const std::vector<int32_t> first(all.begin(), all.begin() + 6), second(all.begin() + 6, all.end());
  const std::vector<Tensor> begin(2, MakeTensor<float>({kBatch, kUnits}, std::vector<float>(kBatch * kUnits, 0.25)));
  for (const char* backend : {"reference", "cpu"}) {
    const Reading whole = Read(backend, 4, all, begin), half = Read(backend, 2, first, begin);
    const Reading rest = Read(backend, 2, second, half.state);
    std::vector<float> logits = half.logits;
    logits.insert(logits.end(), rest.logits.begin(), rest.logits.end());
    EXPECT_THAT(logits, ::testing::Pointwise(::testing::FloatEq(), whole.logits)) << backend;
    for (size_t i = 0; i < 2; ++i) {
      EXPECT_THAT(Floats32(rest.state[i]), ::testing::Pointwise(::testing::FloatEq(), Floats32(whole.state[i])))
          << backend;
      EXPECT_NE(Floats32(half.state[i]), Floats32(begin[i])) << backend;
    }
  }
}

}  // namespace
}  // namespace plumb::models
