// What a word of a sequence may depend on, in every model, and what a writer begins with.
#include "models/learners.h"
#include "models/sequence/transformer.h"
#include "models/sequence/transformer_translation.h"
#include "models/testing.h"

namespace plumb::models {
namespace {

using ::testing::FloatEq;
using ::testing::Pointwise;

class SequenceModels : public OnEachBackend {};
PLUMB_ON_EACH_BACKEND(SequenceModels);

const LearnerEntry& Find(std::string_view name) {
  for (const LearnerEntry& entry : Learners()) {
    if (entry.name == name) return entry;
  }
  throw InvalidArgument("no model is called '", name, "'");
}

// A model in a session, on a batch that is changed here and there.
struct Running {
  Running(std::string_view backend, std::string_view name)
      : optimizer(Sgd({.learning_rate = 0.1})),
        model(Find(name).build(scope, *optimizer, LearnerSize::kSmall)),
        logits(LogitsOf(scope, model.loss)),
        program(scope, OpenSession(backend)),
        batch(Batch(model)) {
    program.Run(model.init);
  }
  // The logits of each word, [batch · steps] rows, with one id the next one, or with all numbers of an example other
  // ones.
  std::vector<std::vector<float>> With(size_t input, int64_t at) {
    std::vector<FeedValue> feeds = batch;
    Tensor& value = feeds[input].second;
    value = Copy(value);
    int32_t& id = value.mutable_data<int32_t>()[static_cast<size_t>(at)];
    id = static_cast<int32_t>((id + 1) % model.inputs[input].below);
    return RowsOf(feeds);
  }
  std::vector<std::vector<float>> WithOtherNumbers(size_t input) {
    std::vector<FeedValue> feeds = batch;
    Tensor& value = feeds[input].second;
    value = Copy(value);
    const auto numbers = value.mutable_data<float>();
    const auto end = numbers.begin() + value.elements() / value.dim(0);
    for (auto number = numbers.begin(); number != end; ++number) *number = 1 - *number;
    return RowsOf(feeds);
  }
  std::vector<std::vector<float>> RowsOf(const std::vector<FeedValue>& feeds) {
    const Tensor all = program.Fetch(logits, feeds);
    std::vector<std::vector<float>> rows;
    const auto numbers = all.data<float>();
    for (auto at = numbers.begin(); at != numbers.end(); at += all.dim(1)) rows.emplace_back(at, at + all.dim(1));
    return rows;
  }
  static Tensor Copy(const Tensor& of) {
    Tensor copy(of.dtype(), of.shape());
    if (of.dtype() == DType::kInt32) {
      std::ranges::copy(of.data<int32_t>(), copy.mutable_data<int32_t>().begin());
    } else {
      std::ranges::copy(of.data<float>(), copy.mutable_data<float>().begin());
    }
    return copy;
  }

  Scope scope;
  std::unique_ptr<Optimizer> optimizer;
  Learner model;
  Output logits;
  Program program;
  std::vector<FeedValue> batch;
};

// The input that is written word by word, and how much later than its place a word is seen: a pointer network is fed
// what it ought to write, the others what they have before them.
struct Writer {
  const char* model;
  size_t words;
  int64_t delay = 0;
};
constexpr Writer kWriters[] = {{"lstm-512-512", 0}, {"transformer", 0}, {"transformer-translation", 1},
                               {"seq2seq", 1},      {"captioning", 1},  {"pointer-network", 1, 1}};

TEST_P(SequenceModels, WordsDependOnThoseBeforeThem) {
  for (const Writer& writer : kWriters) {
    Running running(GetParam(), writer.model);
    const auto before = running.RowsOf(running.batch);
    const int64_t steps = running.batch[writer.words].second.dim(1);
    for (int64_t changed = 0; changed < steps; ++changed) {
      const auto after = running.With(writer.words, changed);
      for (int64_t row = 0; row < static_cast<int64_t>(before.size()); ++row) {
        const auto at = static_cast<size_t>(row);
        EXPECT_EQ(after[at] != before[at], row < steps && row >= changed + writer.delay)
            << writer.model << ": word " << changed << " of example 0, logits of word " << row % steps << " of example "
            << row / steps;
      }
    }
  }
}

TEST_P(SequenceModels, TargetsAreNotSeen) {
  for (const Writer& writer : kWriters) {
    if (writer.delay > 0) continue;  // its targets are its words
    Running running(GetParam(), writer.model);
    EXPECT_EQ(running.With(running.batch.size() - 1, 0), running.RowsOf(running.batch)) << writer.model;
  }
}

// Each word looks at the whole source, but not at that of another example.
TEST_P(SequenceModels, WordsDependOnAllOfTheirSource) {
  const auto check = [](Running& running, const std::vector<std::vector<float>>& after, const std::string& what) {
    const auto before = running.RowsOf(running.batch);
    for (size_t row = 0; row < before.size(); ++row) {
      EXPECT_EQ(after[row] != before[row], row < before.size() / 2) << what << ", row " << row;
    }
  };
  for (const char* name : {"seq2seq", "transformer-translation"}) {
    Running running(GetParam(), name);
    for (int64_t word = 0; word < running.batch[0].second.dim(1); ++word) {
      check(running, running.With(0, word), Str(name, ", source word ", word));
    }
  }
  for (const char* name : {"captioning", "pointer-network"}) {
    Running running(GetParam(), name);
    check(running, running.WithOtherNumbers(0), name);
  }
}

// Weights of an LSTM whose gates are shut or open: what a bias of four parts makes of them.
std::vector<float> Gates(float input, const std::vector<float>& candidate, float forget, float output) {
  std::vector<float> bias(16);
  for (size_t i = 0; i < 4; ++i) {
    bias[i] = input;
    bias[4 + i] = candidate[i];
    bias[8 + i] = forget;
    bias[12 + i] = output;
  }
  return bias;
}
constexpr float kOpen = 100, kShut = -200;

// Rows of `size` numbers that hold the first four, times 1.
std::vector<float> FirstFour(int64_t rows, int64_t size) {
  std::vector<float> matrix(static_cast<size_t>(rows * size));
  for (int64_t i = 0; i < 4; ++i) matrix[static_cast<size_t>(i * size + i)] = 1;
  return matrix;
}

// The reader ends with the memory tanh(j) and half of tanh of that; the writer keeps the memory and shows it.
TEST_P(SequenceModels, WritersBeginWithTheReadersState) {
  Running running(GetParam(), "seq2seq");
  const auto named = [&](const char* name) { return Named(running.scope, name); };
  const std::vector<float> candidate = {0.5, -1, 0.25, 2};
  const std::vector<FeedValue> given = {
      AllOf(named("reader/basic_lstm_cell/kernel"), 0),
      Given(named("reader/basic_lstm_cell/bias"), Gates(kOpen, candidate, kShut, 0)),
      AllOf(named("writer/attention_wrapper/basic_lstm_cell/kernel"), 0),
      Given(named("writer/attention_wrapper/basic_lstm_cell/bias"), Gates(kShut, candidate, kOpen, kOpen)),
      Given(named("writer/attention_wrapper/attention_layer/kernel"), FirstFour(8, 4)),
      Given(named("logits/weights"), FirstFour(4, 7)),
      AllOf(named("logits/bias"), 0)};
  std::vector<float> expected(7);
  for (size_t i = 0; i < 4; ++i) expected[i] = static_cast<float>(std::tanh(std::tanh(candidate[i])));
  for (const auto& row : running.RowsOf(running.batch + given)) EXPECT_THAT(row, Pointwise(FloatEq(), expected));
}

// What was seen is the memory that a caption begins with, and, squashed, what was said before it.
TEST_P(SequenceModels, CaptionsBeginWithWhatWasSeen) {
  Running running(GetParam(), "captioning");
  const auto named = [&](const char* name) { return Named(running.scope, name); };
  const std::vector<float> of_cell = {0.5, -1, 0.25, 2}, of_hidden = {-0.75, 1.5, 0.125, -2}, none(4);
  const auto first = [&](const std::vector<float>& bias, const std::vector<float>& kernel) {
    return running.RowsOf(running.batch +
                          std::vector{AllOf(named("cell/weights"), 0), Given(named("cell/bias"), of_cell),
                                      AllOf(named("hidden/weights"), 0), Given(named("hidden/bias"), of_hidden),
                                      Given(named("writer/basic_lstm_cell/kernel"), kernel),
                                      Given(named("writer/basic_lstm_cell/bias"), bias),
                                      Given(named("logits/weights"), FirstFour(4, 7)),
                                      AllOf(named("logits/bias"), 0)})[0];
  };
  std::vector<float> kept(7), taken(7), of_state(8 * 16);
  for (size_t i = 0; i < 4; ++i) {
    kept[i] = static_cast<float>(std::tanh(of_cell[i]));
    taken[i] = static_cast<float>(std::tanh(std::tanh(std::tanh(of_hidden[i]))));
    of_state[(4 + i) * 16 + 4 + i] = 1;  // behind the word, to the candidate
  }
  EXPECT_THAT(first(Gates(kShut, none, kOpen, kOpen), std::vector<float>(8 * 16)), Pointwise(FloatEq(), kept));
  EXPECT_THAT(first(Gates(kOpen, none, kShut, kOpen), of_state), Pointwise(FloatEq(), taken));
}

// Where what was read has no keys, the first place knows the points by the reader's state alone.
TEST_P(SequenceModels, PointersBeginWithTheReadersState) {
  Running running(GetParam(), "pointer-network");
  const std::vector<FeedValue> none = {AllOf(Named(running.scope, "pointer/read"), 0)};
  const auto before = running.RowsOf(running.batch + none)[0];
  EXPECT_THAT(before, ::testing::Each(before[0]));
  std::vector<FeedValue> others = running.batch;
  others[0].second = Running::Copy(others[0].second);
  for (float& number : others[0].second.mutable_data<float>()) number = 1 - number;
  EXPECT_NE(running.RowsOf(others + none)[0], before);
}

// Without places a layer would see a set of words. That two of them changed places is more than a rounding.
TEST_P(SequenceModels, TransformersKnowTheOrderOfWords) {
  const auto optimizer = Sgd({.learning_rate = 0.1});
  const auto check = [&](Scope& scope, const Learner& model, int64_t steps) {
    Program program(scope, OpenSession(GetParam()));
    program.Run(model.init);
    const Output logits = LogitsOf(scope, model.loss);
    const auto last = [&](std::initializer_list<int32_t> words) {
      std::vector<FeedValue> feeds = Batch(model);
      feeds[0].second = MakeTensor<int32_t>({1, 3}, words);
      const std::vector<float> all = Floats32(program.Fetch(logits, feeds));
      return std::vector<float>(all.end() - static_cast<std::ptrdiff_t>(all.size()) / steps, all.end());
    };
    EXPECT_THAT(last({2, 5, 1}), ::testing::Not(Pointwise(FloatEq(), last({5, 2, 1}))));
  };
  Scope one, two;
  const TransformerOptions options = {
      .vocabulary = 9, .size = 8, .hidden = 12, .heads = 2, .layers = 1, .steps = 3, .batch = 1};
  check(one, BuildTransformer(one, *optimizer, options), 3);
  const TransformerTranslationOptions translating = {.vocabulary = 9,
                                                     .size = 8,
                                                     .hidden = 12,
                                                     .heads = 2,
                                                     .layers = 1,
                                                     .source_steps = 3,
                                                     .target_steps = 2,
                                                     .batch = 1};
  check(two, BuildTransformerTranslation(two, *optimizer, translating), 2);
}

}  // namespace
}  // namespace plumb::models
