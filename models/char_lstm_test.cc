// The character language model, in a loop and unrolled.
#include "models/char_lstm.h"

#include <gtest/gtest.h>

#include "backends/backends.h"
#include "client/program.h"
#include "models/parameters.h"

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

std::vector<float> Numbers(const Tensor& tensor) {
  const auto data = tensor.data<float>();
  return {data.begin(), data.end()};
}

// What is computed forward is the same ops on the same numbers.
TEST(CharLstm, UnrolledItIsTheSameModel) {
  for (const char* backend : {"reference", "cpu"}) {
    const Trained loop = Train(backend, false), unrolled = Train(backend, true);
    EXPECT_EQ(loop.parameters, unrolled.parameters);
    EXPECT_EQ(loop.losses[0], unrolled.losses[0]) << backend;
    for (size_t i = 0; i < loop.state.size(); ++i) {
      EXPECT_EQ(Numbers(loop.state[i]), Numbers(unrolled.state[i])) << backend;
    }
    for (const Trained& trained : {loop, unrolled}) EXPECT_LT(trained.losses.back(), trained.losses.front()) << backend;
  }
}

}  // namespace
}  // namespace plumb::models
