// What transformers are made of, against its formulas.
#include "models/sequence/attention.h"

#include "models/testing.h"

namespace plumb::models {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatEq;
using ::testing::Pointwise;

class AttentionParts : public OnEachBackend {};
PLUMB_ON_EACH_BACKEND(AttentionParts);

constexpr double kRows[2][4] = {{0.5, 0.25, 1, 0.75}, {0.25, 1, 0.5, 2}};
constexpr double kMemory[3][4] = {{1, 0.5, 0.25, 0.5}, {0.75, 1.5, 1, 0.25}, {0.125, 1, 2, 1}};
constexpr bool kSees[2][3] = {{true, true, false}, {false, true, true}};

// Queries are rows times 2, keys the memory, values half of it; the output turns them around, times 4, plus ⅛.
std::vector<float> Attended(bool is_masked) {
  std::vector<float> expected(8);
  for (size_t row = 0; row < 2; ++row) {
    for (size_t head = 0; head < 2; ++head) {
      double seen[2] = {0, 0}, sum = 0;
      for (size_t place = 0; place < 3; ++place) {
        if (is_masked && !kSees[row][place]) continue;
        const double* const query = kRows[row] + 2 * head;
        const double* const key = kMemory[place] + 2 * head;
        const double weight = std::exp(2 * (query[0] * key[0] + query[1] * key[1]) / std::sqrt(2));
        sum += weight;
        for (size_t i = 0; i < 2; ++i) seen[i] += weight * 0.5 * key[i];
      }
      for (size_t i = 0; i < 2; ++i) {
        expected[row * 4 + 3 - (head * 2 + i)] = static_cast<float>(4 * seen[i] / sum + 0.125);
      }
    }
  }
  return expected;
}

std::vector<float> Diagonal(float number) {
  std::vector<float> matrix(16);
  for (size_t i = 0; i < 4; ++i) matrix[i * 5] = number;
  return matrix;
}

TEST_P(AttentionParts, AttentionFollowsItsFormula) {
  const auto matrix = [&](const double* numbers, int64_t rows) {
    return Constant(scope_, MakeTensor<float>({rows, 4}, std::vector<float>(numbers, numbers + rows * 4)));
  };
  std::vector<float> mask;
  for (const auto& row : kSees) {
    for (const bool sees : row) mask.push_back(sees ? 0 : -1e9f);
  }
  for (const bool is_masked : {false, true}) {
    const std::string name = is_masked ? "masked" : "open";
    const std::optional<Output> masking =
        is_masked ? std::optional(Constant(scope_, MakeTensor<float>({2, 3}, mask))) : std::nullopt;
    const Output seen = Attention(scope_, matrix(kRows[0], 2), matrix(kMemory[0], 3), masking,
                                  {.size = 4, .heads = 2, .batch = 1}, 1, name);
    std::vector<float> turned(16);
    for (size_t i = 0; i < 4; ++i) turned[i * 4 + 3 - i] = 4;
    const auto layer = [&](const char* role) { return Named(scope_, name + "/" + role + "/weights"); };
    std::vector<FeedValue> feeds = {Given(layer("query"), Diagonal(2)), Given(layer("key"), Diagonal(1)),
                                    Given(layer("value"), Diagonal(0.5)), Given(layer("output"), turned)};
    for (const char* role : {"query", "key", "value", "output"}) {
      feeds.push_back(
          AllOf(Named(scope_, name + "/" + role + "/bias"), role == std::string_view("output") ? 0.125f : 0));
    }
    Program program(scope_, OpenSession(GetParam()));
    EXPECT_THAT(Floats32(program.Fetch(seen, feeds)), Pointwise(FloatEq(), Attended(is_masked))) << name;
  }
}

TEST_P(AttentionParts, MasksLeaveWhatComesLaterUnseen) {
  const std::vector<double> mask = Value(CausalMask(scope_, 3));
  for (size_t i = 0; i < 9; ++i) EXPECT_EQ(mask[i] == 0, i % 3 <= i / 3) << i;
  const std::vector<double> weights = Value(scope_.Call("Softmax", {CausalMask(scope_, 2)}));
  EXPECT_THAT(weights, ElementsAre(1, 0, 0.5, 0.5));
}

// Mean 3 and variance 3½, mean 1 and variance 1.
TEST_P(AttentionParts, RowsAreNormed) {
  const Output normed = LayerNorm(scope_, Matrix(2, 4, {1, 2, 3, 6, 2, 0, 0, 2}), "norm");
  Program program(scope_, OpenSession(GetParam()));
  const std::vector<float> scale = {2, 1, 3, 0.5}, offset = {-0.5, -2, 0.25, 1};
  const double centred[2][4] = {{-2, -1, 0, 3}, {1, -1, -1, 1}}, variances[2] = {3.5, 1};
  std::vector<float> expected;
  for (size_t row = 0; row < 2; ++row) {
    for (size_t i = 0; i < 4; ++i) {
      const double value = centred[row][i] / std::sqrt(variances[row] + 1e-5);
      expected.push_back(static_cast<float>(value * scale[i] + offset[i]));
    }
  }
  const std::vector<FeedValue> feeds = {Given(Named(scope_, "norm/scale"), scale),
                                        Given(Named(scope_, "norm/offset"), offset)};
  EXPECT_THAT(Floats32(program.Fetch(normed, feeds)), Pointwise(FloatEq(), expected));
}

// √4 times a word's row, plus the row of its place.
TEST_P(AttentionParts, WordsAreEmbeddedWithTheirPlaces) {
  const auto table = [&](std::initializer_list<float> numbers, const char* name) {
    return MakeVariable(scope_, Matrix(2, 4, numbers), {name});
  };
  const Variable words = table({1, 2, 3, 4, 5, 6, 7, 8}, "words"),
                 places = table({10, 20, 30, 40, 50, 60, 70, 80}, "places");
  const Output rows = EmbedWords(scope_, words, places, Constant(scope_, MakeTensor<int32_t>({1, 2}, {1, 0})));
  const NodeId init = InitializeAll(scope_);
  Program program(scope_, OpenSession(GetParam()));
  program.Run(init);
  EXPECT_THAT(Floats32(program.Fetch(rows)), ElementsAre(20, 32, 44, 56, 52, 64, 76, 88));
}

}  // namespace
}  // namespace plumb::models
