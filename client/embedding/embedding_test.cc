// Lookups, partitioned variables and softmaxes in shards, worked out by hand.
#include <cmath>
#include <filesystem>
#include <map>
#include <numeric>

#include "client/embedding/lookup.h"
#include "client/embedding/partitioned_variable.h"
#include "client/embedding/sharded_softmax.h"
#include "client/gradients.h"
#include "client/optimizers/optimizer.h"
#include "client/program.h"
#include "client/testing.h"
#include "client/training/moving_average.h"
#include "client/training/saver.h"

namespace plumb {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatEq;

class Embeddings : public OnEachBackend {
 protected:
  // Rows (10 i, 10 i + 1) for the ids given.
  Output Table(const std::vector<int>& ids) {
    std::vector<float> numbers;
    for (const int id : ids) numbers.insert(numbers.end(), {10.0f * id, 10.0f * id + 1});
    return Constant(scope_, MakeTensor<float>({static_cast<int64_t>(ids.size()), 2}, numbers));
  }
  Output Ids() { return Constant(scope_, MakeTensor<int64_t>({2, 2}, {4, 0, 3, 4})); }
  static constexpr double kRows[] = {40, 41, 0, 1, 30, 31, 40, 41};
};

TEST_P(Embeddings, AreRowsOfOneTable) {
  const Output rows = EmbeddingLookup(scope_, {Table({0, 1, 2, 3, 4})}, Ids());
  EXPECT_EQ(rows.shape().ToString(), "[2,2,2]");
  EXPECT_THAT(Value(rows), ::testing::ElementsAreArray(kRows));
}

// Five ids in two parts: 0, 2, 4 and 1, 3, or 0, 1, 2 and 3, 4.
TEST_P(Embeddings, AreRowsOfParts) {
  EXPECT_THAT(Value(EmbeddingLookup(scope_, {Table({0, 2, 4}), Table({1, 3})}, Ids())),
              ::testing::ElementsAreArray(kRows));
  EXPECT_THAT(
      Value(EmbeddingLookup(scope_, {Table({0, 1, 2}), Table({3, 4})}, Ids(), {.strategy = PartitionStrategy::kDiv})),
      ::testing::ElementsAreArray(kRows));
  // Three, two and two rows: the second part begins with 3.
  EXPECT_THAT(Value(EmbeddingLookup(scope_, {Table({0, 1, 2}), Table({3, 4}), Table({5, 6})}, Ids(),
                                    {.strategy = PartitionStrategy::kDiv})),
              ::testing::ElementsAreArray(kRows));
}

// (3, 4) is 5 long, and scaled down to 1; (0, 1) stays.
TEST_P(Embeddings, AreKeptShort) {
  const Output table = Matrix(2, 2, {3, 4, 0, 0.5});
  const Output ids = Constant<int32_t>(scope_, {0, 1});
  const auto check = [&](const std::vector<double>& rows) {
    const std::vector<float> floats(rows.begin(), rows.end());
    EXPECT_THAT(floats, ElementsAre(FloatEq(0.6), FloatEq(0.8), FloatEq(0), FloatEq(0.5)));
  };
  check(Value(EmbeddingLookup(scope_, {table}, ids, {.max_norm = 1})));
  const Output first = Matrix(1, 2, {3, 4}), second = Matrix(1, 2, {0, 0.5});
  check(Value(EmbeddingLookup(scope_, {first, second}, ids, {.max_norm = 1})));
}

// Of rows that are one number each is kept short by itself, as TensorFlow does.
TEST_P(Embeddings, NumbersAreKeptShort) {
  const auto table = [&](std::initializer_list<float> numbers) { return Constant(scope_, MakeVector<float>(numbers)); };
  const Output ids = Constant(scope_, MakeTensor<int64_t>({2, 3}, {0, 1, 2, 3, 4, 1}));
  const std::vector<Output> whole = {table({0.25, -3, 0.5, 2, 1})},
                            parts = {table({0.25, 2}), table({-3, 1}), table({0.5})};
  for (const std::vector<Output>& tables : {whole, parts}) {
    EXPECT_THAT(Value(EmbeddingLookup(scope_, tables, ids, {.max_norm = 1})), ElementsAre(0.25, -1, 0.5, 1, 1, -1));
  }
}

// Ids of any shape have the rows of their flat list, bit for bit, also where these are kept short.
TEST_P(Embeddings, OfIdsOfAnyRankAreThoseOfTheirList) {
  const std::vector<int64_t> ids = {4, 0, 3, 4, 1, 2};
  const auto table = [&](const std::vector<int64_t>& classes, std::vector<int64_t> row_shape) {
    const int64_t size = Shape(row_shape).elements();
    std::vector<float> numbers;
    for (const int64_t id : classes) {
      for (int64_t i = 0; i < size; ++i) numbers.push_back(0.375F * static_cast<float>(id * size + i) - 0.5F);
    }
    row_shape.insert(row_shape.begin(), static_cast<int64_t>(classes.size()));
    return Constant(scope_, MakeTensor<float>(Shape(row_shape), numbers));
  };
  std::vector<Output> shaped, reshaped;
  std::vector<std::string> names;
  const std::vector<std::vector<int64_t>> row_shapes = {{}, {2}, {2, 3}}, ids_shapes = {{}, {6}, {2, 3}, {1, 2, 3}};
  for (const std::vector<int64_t>& row_shape : row_shapes) {
    const std::vector<Output> whole = {table({0, 1, 2, 3, 4}, row_shape)},
                              parts = {table({0, 3}, row_shape), table({1, 4}, row_shape), table({2}, row_shape)};
    for (const std::vector<int64_t>& ids_shape : ids_shapes) {
      const std::vector<int64_t> list(ids.begin(), ids.begin() + Shape(ids_shape).elements());
      std::vector<int32_t> shape(ids_shape.begin(), ids_shape.end());
      shape.insert(shape.end(), row_shape.begin(), row_shape.end());
      const Output in_shape = Constant(scope_, MakeTensor<int64_t>(Shape(ids_shape), list)),
                   in_list = Constant(scope_, MakeTensor<int64_t>({Shape(ids_shape).elements()}, list)),
                   of_rows = Constant(scope_, MakeTensor<int32_t>({static_cast<int64_t>(shape.size())}, shape));
      for (const std::vector<Output>& tables : {whole, parts}) {
        for (const std::optional<double> norm : {std::optional<double>(), std::optional<double>(1.25)}) {
          shaped.push_back(EmbeddingLookup(scope_, tables, in_shape, {.max_norm = norm}));
          const Output rows = EmbeddingLookup(scope_, tables, in_list, {.max_norm = norm});
          reshaped.push_back(Call("Reshape", {rows, of_rows}));
          names.push_back(Str(Shape(ids_shape).ToString(), " ids, rows ", Shape(row_shape).ToString(), ", ",
                              tables.size(), " tables, ", norm ? "kept short" : "as they are"));
        }
      }
    }
  }
  const std::vector<Tensor> actual = Evaluate(GetParam(), scope_, shaped),
                            expected = Evaluate(GetParam(), scope_, reshaped);
  for (size_t i = 0; i < names.size(); ++i) EXPECT_TRUE(actual[i].BitwiseEquals(expected[i])) << names[i];
}

TEST_P(Embeddings, HaveSlicesForGradients) {
  const Output even = Table({0, 2, 4}), odd = Table({1, 3});
  const Output rows = EmbeddingLookup(scope_, {even, odd}, Ids());
  const auto gradients = Gradients(scope_.builder(), {rows}, {even, odd});
  ASSERT_EQ(gradients[0].kind, GradientValue::Kind::kSparse);
  // Id 4 is the third of the even ones, and read twice.
  EXPECT_THAT(Value({&scope_.builder(), Densify(scope_.builder(), gradients[0])}), ElementsAre(1, 1, 0, 0, 2, 2));
  EXPECT_THAT(Value({&scope_.builder(), Densify(scope_.builder(), gradients[1])}), ElementsAre(0, 0, 1, 1));
}

// Line 0 has the ids 1 and 2, line 2 has 1; line 1 has none.
TEST_P(Embeddings, OfSparseIdsAreCombined) {
  const Output indices = Constant(scope_, MakeTensor<int64_t>({3, 2}, {0, 0, 0, 1, 2, 0}));
  const SparseParts ids = {indices, Constant<int64_t>(scope_, {1, 2, 1}), Constant<int64_t>(scope_, {3, 2})};
  const std::vector<Output> tables = {Matrix(3, 1, {0, 4, 8})};
  const auto combined = [&](std::optional<Output> weights, Combiner combiner) {
    const std::vector<double> lines = Value(EmbeddingLookupSparse(scope_, tables, ids, weights, combiner));
    return std::vector<float>(lines.begin(), lines.end());
  };
  EXPECT_THAT(combined({}, Combiner::kSum), ElementsAre(12, 0, 4));
  EXPECT_THAT(combined({}, Combiner::kMean), ElementsAre(6, 0, 4));
  EXPECT_THAT(combined({}, Combiner::kSqrtN), ElementsAre(FloatEq(12 / std::sqrt(2.0f)), FloatEq(0), FloatEq(4)));
  const Output weights = Floats({3, 4, 2});
  EXPECT_THAT(combined(weights, Combiner::kSum)[0], FloatEq(44));
  EXPECT_THAT(combined(weights, Combiner::kMean)[0], FloatEq(44.0f / 7));
  EXPECT_THAT(combined(weights, Combiner::kSqrtN)[0], FloatEq(44.0f / 5));
  EXPECT_THAT(combined(weights, Combiner::kMean)[1], 0) << "a line without ids";
  EXPECT_THAT(combined(weights, Combiner::kMean)[2], FloatEq(4));
}

TEST_P(Embeddings, ComeFromPartitionedVariables) {
  const PartitionedVariable table =
      MakePartitionedVariable(scope_, {.name = "table", .shape = {5, 2}, .initializer = Filled(7)}, 2);
  EXPECT_EQ(table.parts[0].name(), "table/part_0");
  EXPECT_EQ(table.parts[0].shape().ToString(), "[3,2]");
  EXPECT_EQ(table.parts[1].slice()->place, "5 2 3,2:0,2");
  const Output whole = Whole(scope_, table);
  EXPECT_EQ(whole.shape().ToString(), "[5,2]");
  const Output rows =
      EmbeddingLookup(scope_, table.values(), Constant<int32_t>(scope_, {4}), {.strategy = PartitionStrategy::kDiv});
  const NodeId train = Sgd({.learning_rate = 1})->Minimize(scope_, rows);
  const NodeId init = InitializeAll(scope_);
  Program program(scope_, OpenSession(GetParam()));
  program.Run(init);
  program.Run(train);
  EXPECT_THAT(Numbers(program.Fetch(whole)), ElementsAre(7, 7, 7, 7, 7, 7, 7, 7, 6, 6));
  EXPECT_TRUE(Refuses([&] { MakePartitionedVariable(scope_, {.name = "few", .shape = {2}}, 3); },
                      Code::kInvalidArgument, "into 3 parts"));
}

// A checkpoint knows the whole only: saved in two parts, it loads into three, and into one.
TEST_P(Embeddings, AreSavedAsOneTensor) {
  const std::string path = ::testing::TempDir() + "/parts_" + std::string(GetParam());
  const auto build = [&](Scope& scope, int64_t parts) {
    const Initializer counting = [parts](Scope& in, DType, const Shape& shape) {
      std::vector<float> numbers(static_cast<size_t>(shape.elements()));
      std::iota(numbers.begin(), numbers.end(), parts == 2 && shape.dim(0) == 2 ? 3.0f : 0.0f);
      return Constant(in, MakeTensor<float>(shape, numbers));
    };
    return MakePartitionedVariable(scope, {.name = "table", .shape = {5}, .initializer = counting}, parts);
  };
  build(scope_, 2);
  Saver saver(scope_, SavedByName(scope_));
  const NodeId init = InitializeAll(scope_);
  Program program(scope_, OpenSession(GetParam()));
  program.Run(init);
  saver.Save(program, path);
  for (const int64_t parts : {int64_t{3}, int64_t{1}}) {
    Scope other;
    const Output whole = Whole(other, build(other, parts));
    Saver restorer(other, SavedByName(other));
    Program restored(other, OpenSession(GetParam()));
    restorer.Restore(restored, path);
    EXPECT_THAT(Numbers(restored.Fetch(whole)), ElementsAre(0, 1, 2, 3, 4));
  }
}

class ShardedSoftmaxes : public OnEachBackend {};

// Logits 0, 2 | 1; the softmax by hand.
TEST_P(ShardedSoftmaxes, AreCrossEntropies) {
  const std::vector<Output> weights = {Matrix(2, 1, {0, 1}), Matrix(1, 1, {2})},
                            biases = {Floats({0, 1}), Floats({-1})};
  const Output loss = ShardedSoftmax(scope_, weights, biases, Constant<int32_t>(scope_, {0, 2}), Matrix(2, 1, {1, 1}));
  const std::vector<double> losses = Value(loss);
  const float all = std::log(1 + std::exp(1.0F) + std::exp(2.0F));
  EXPECT_THAT(static_cast<float>(losses[0]), FloatEq(all));
  EXPECT_THAT(static_cast<float>(losses[1]), FloatEq(all - 1));
}

// Nobody can learn what is no class.
TEST_P(ShardedSoftmaxes, OfWhatIsNoClassAreNaN) {
  const std::vector<Output> weights = {Matrix(2, 1, {0, 1}), Matrix(1, 1, {2})}, biases = {Floats({0, 0}), Floats({0})};
  const Output labels = Constant<int64_t>(scope_, {-1, 3, 0});
  const Output loss = ShardedSoftmax(scope_, weights, biases, labels, Matrix(3, 1, {1, 1, 1}));
  const std::vector<double> losses = Value(loss);
  EXPECT_TRUE(std::isnan(losses[0]) && std::isnan(losses[1]) && losses[2] > 0);
  const std::vector<double> slope = Value(DenseGradients({loss}, {biases[0]})[0]);
  const float all = 1 + std::exp(1.0F) + std::exp(2.0F);
  EXPECT_THAT(static_cast<float>(slope[0]), FloatEq(1 / all - 1)) << "the third example alone";
}

TEST_P(ShardedSoftmaxes, AreOfVariablesBehindHandles) {
  const auto handle = [&](const PartialShape& shape, const std::string& name) {
    return scope_.Call("VarHandleOp", {}, {{"dtype", DType::kFloat}, {"shape", shape}, {"shared_name", name}});
  };
  const Output weights = handle({2, 1}, "w"), biases = handle({2}, "b");
  const NodeId init = scope_.Group({scope_.Add("AssignVariableOp", {weights, Matrix(2, 1, {0, 1})}),
                                    scope_.Add("AssignVariableOp", {biases, Floats({0, 0})})});
  const Output loss = ShardedSoftmax(scope_, {weights}, {biases}, Constant<int32_t>(scope_, {1}), Matrix(1, 1, {1}));
  const Output rows = EmbeddingLookup(scope_, {weights}, Constant<int32_t>(scope_, {1, 0}));
  const Output parts = EmbeddingLookup(scope_, {weights, weights}, Constant<int32_t>(scope_, {3, 1, 2}),
                                       {.strategy = PartitionStrategy::kDiv});
  const auto values = Evaluate(GetParam(), scope_, {loss, rows, parts}, {}, {scope_.NameOf(init)});
  EXPECT_THAT(static_cast<float>(Numbers(values[0])[0]), FloatEq(std::log1p(std::exp(-1.0F))));
  EXPECT_THAT(Numbers(values[1]), ElementsAre(1, 0));
  EXPECT_THAT(Numbers(values[2]), ElementsAre(1, 1, 0));
}

TEST_P(ShardedSoftmaxes, RefuseWhatDoesNotFit) {
  const Output two = Matrix(2, 1, {0, 1}), input = Matrix(1, 1, {1}), labels = Constant<int32_t>(scope_, {1});
  const auto refused = [&](const std::string& text, const std::vector<Output>& weights,
                           const std::vector<Output>& biases, Output of) {
    return Refuses([&] { ShardedSoftmax(scope_, weights, biases, of, input); }, Code::kInvalidArgument, text);
  };
  EXPECT_TRUE(refused("both are cut alike", {two, two}, {Floats({0, 0})}, labels));
  EXPECT_TRUE(refused("part 0 has weights of shape [2,1] and biases of shape [1]", {two}, {Floats({0})}, labels));
  EXPECT_TRUE(refused("labels must be int32 or int64", {two}, {Floats({0, 0})}, Floats({1})));
  EXPECT_TRUE(refused("labels must be [batch]", {two}, {Floats({0, 0})}, Int(1)));
}
PLUMB_ON_EACH_BACKEND(Embeddings);
PLUMB_ON_EACH_BACKEND(ShardedSoftmaxes);

// What stands beside a part is a slice of what stands beside the whole.
TEST_P(Embeddings, HaveSlotsThatAreSlices) {
  const PartitionedVariable table =
      MakePartitionedVariable(scope_, {.name = "table", .shape = {5, 2}, .initializer = Filled(7)}, 2);
  const Output rows = EmbeddingLookup(scope_, table.values(), Constant<int32_t>(scope_, {4, 0}));
  Adam({})->Minimize(scope_, rows);
  ExponentialMovingAverage average({});
  average.Apply(scope_, table.parts);
  std::multimap<std::string, std::string> places;
  for (const SavedVariable& saved : SavedByName(scope_)) {
    if (saved.variable.slice()) places.emplace(saved.name, saved.variable.slice()->place);
  }
  for (const char* const name : {"table", "table/Adam", "table/Adam_1", "table/ExponentialMovingAverage"}) {
    const auto [first, last] = places.equal_range(name);
    std::vector<std::string> of_name;
    for (auto at = first; at != last; ++at) of_name.push_back(at->second);
    EXPECT_THAT(of_name, ElementsAre("5 2 0,3:0,2", "5 2 3,2:0,2")) << name;
  }
  std::vector<std::string> restored;
  for (const SavedVariable& saved : average.VariablesToRestore(scope_)) {
    if (saved.variable.name() == table.parts[0].name() || saved.variable.name() == table.parts[1].name()) {
      restored.push_back(saved.name);
    }
  }
  EXPECT_THAT(restored, ElementsAre("table/ExponentialMovingAverage", "table/ExponentialMovingAverage"));
}

}  // namespace
}  // namespace plumb
