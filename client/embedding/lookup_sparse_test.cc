// What a sparse lookup combines is what a lookup of the same ids gives.
#include <cmath>
#include <map>

#include "client/embedding/lookup.h"
#include "client/testing.h"

namespace plumb {
namespace {

constexpr int64_t kIds = 7;

class SparseLookups : public OnEachBackend {
 protected:
  // Row i of the whole table is i · size + j + ½ at j, divided by 8: some rows are short, some long.
  Output Table(const std::vector<int64_t>& ids, std::vector<int64_t> row_shape) {
    const int64_t size = Shape(row_shape).elements();
    std::vector<float> numbers;
    for (const int64_t id : ids) {
      for (int64_t j = 0; j < size; ++j) numbers.push_back((static_cast<float>(id * size + j) + 0.5F) / 8);
    }
    row_shape.insert(row_shape.begin(), static_cast<int64_t>(ids.size()));
    return Constant(scope_, MakeTensor<float>(Shape(row_shape), numbers));
  }
  // Seven rows in so many tables, which are unevenly long.
  std::vector<Output> Tables(int64_t count, PartitionStrategy strategy, const std::vector<int64_t>& row_shape) {
    std::vector<std::vector<int64_t>> ids(static_cast<size_t>(count));
    int64_t next = 0;
    for (int64_t table = 0; table < count; ++table) {
      for (int64_t row = 0; row < (kIds - table + count - 1) / count; ++row) {
        const int64_t id = strategy == PartitionStrategy::kMod ? row * count + table : next++;
        ids[static_cast<size_t>(table)].push_back(id);
      }
    }
    std::vector<Output> tables;
    for (const auto& of_table : ids) tables.push_back(Table(of_table, row_shape));
    return tables;
  }
};

// Line 0 has an id twice, line 1 has none, and ids of a line are neither sorted nor neighbours.
const std::vector<int64_t> kLines = {0, 0, 0, 2, 3, 3, 3};
const std::vector<int64_t> kValues = {4, 0, 4, 6, 3, 1, 5};
const std::vector<float> kWeights = {0.5F, 2, 1.25F, 3, 0.25F, 1, 0.75F};

// By their formulas, in float64.
std::vector<float> Combined(const std::vector<float>& rows, const std::vector<float>& weights, Combiner combiner) {
  const size_t size = rows.size() / kLines.size();
  std::vector<double> sums(static_cast<size_t>(kLines.back() + 1) * size), of_weights(sums.size()), of_squares(sums);
  for (size_t i = 0; i < kLines.size(); ++i) {
    for (size_t j = 0; j < size; ++j) {
      const size_t at = static_cast<size_t>(kLines[i]) * size + j;
      const double weight = weights.empty() ? 1 : weights[i];
      sums[at] += weight * rows[i * size + j];
      of_weights[at] += weight;
      of_squares[at] += weight * weight;
    }
  }
  std::vector<float> combined;
  for (size_t at = 0; at < sums.size(); ++at) {
    double divisor = 1;
    if (combiner == Combiner::kMean) divisor = of_weights[at];
    if (combiner == Combiner::kSqrtN) divisor = std::sqrt(of_squares[at]);
    combined.push_back(static_cast<float>(of_weights[at] == 0 ? 0 : sums[at] / divisor));
  }
  return combined;
}

TEST_P(SparseLookups, AreLookupsCombined) {
  const std::map<Combiner, const char*> combiners = {
      {Combiner::kSum, "sum"}, {Combiner::kMean, "mean"}, {Combiner::kSqrtN, "sqrtn"}};
  const auto count = static_cast<int64_t>(kLines.size());
  std::vector<int64_t> indices;
  for (int64_t i = 0; i < count; ++i) indices.insert(indices.end(), {kLines[static_cast<size_t>(i)], i});
  const Output values = Constant(scope_, MakeTensor<int64_t>({count}, kValues));
  const SparseParts ids = {Constant(scope_, MakeTensor<int64_t>({count, 2}, indices)), values,
                           Constant<int64_t>(scope_, {4, count})};
  const Output weights = Constant(scope_, MakeTensor<float>({count}, kWeights));

  struct Case {
    std::string name;
    std::vector<float> weights;
    Combiner combiner;
  };
  std::vector<Case> cases;
  std::vector<Output> fetches;  // of each case: the rows of its ids, and these combined
  const std::vector<std::vector<int64_t>> row_shapes = {{}, {2}, {2, 3}};
  for (const PartitionStrategy strategy : {PartitionStrategy::kMod, PartitionStrategy::kDiv}) {
    for (const int64_t tables : {1, 2, 3}) {
      for (const std::optional<double> max_norm : {std::optional<double>(), std::optional<double>(1.25)}) {
        for (const std::vector<int64_t>& row_shape : row_shapes) {
          const std::vector<Output> parts = Tables(tables, strategy, row_shape);
          const LookupOptions options = {.strategy = strategy, .max_norm = max_norm};
          for (const auto& [combiner, combiner_name] : combiners) {
            for (const bool weighted : {false, true}) {
              fetches.push_back(EmbeddingLookup(scope_, parts, values, options));
              fetches.push_back(EmbeddingLookupSparse(
                  scope_, parts, ids, weighted ? std::optional(weights) : std::nullopt, combiner, options));
              cases.push_back({Str(strategy == PartitionStrategy::kMod ? "mod, " : "div, ", tables, " tables, rows of ",
                                   Shape(row_shape).ToString(), max_norm ? ", kept short, " : ", ", combiner_name,
                                   weighted ? ", weighted" : ""),
                               weighted ? kWeights : std::vector<float>(), combiner});
            }
          }
        }
      }
    }
  }
  const std::vector<Tensor> fetched = Evaluate(GetParam(), scope_, fetches);
  const auto floats = [](const Tensor& tensor) {
    return std::vector<float>(tensor.data<float>().begin(), tensor.data<float>().end());
  };
  for (size_t i = 0; i < cases.size(); ++i) {
    const std::vector<float> expected = Combined(floats(fetched[2 * i]), cases[i].weights, cases[i].combiner);
    EXPECT_THAT(floats(fetched[2 * i + 1]), ::testing::Pointwise(::testing::FloatEq(), expected)) << cases[i].name;
  }
}

// A lookup's rows, of any cut, are those of the whole table, scaled down where they are longer than the norm.
TEST_P(SparseLookups, RowsAreThoseOfTheWholeTable) {
  constexpr double kNorm = 1.25;
  const Output ids = Constant(scope_, MakeTensor<int64_t>({static_cast<int64_t>(kValues.size())}, kValues));
  const auto check = [&](PartitionStrategy strategy, int64_t tables, bool kept_short) {
    const LookupOptions options = {.strategy = strategy,
                                   .max_norm = kept_short ? std::optional<double>(kNorm) : std::nullopt};
    const Tensor found =
        Evaluate(GetParam(), scope_, {EmbeddingLookup(scope_, Tables(tables, strategy, {2}), ids, options)})[0];
    std::vector<float> expected;
    for (const int64_t id : kValues) {
      const double first = (2.0 * static_cast<double>(id) + 0.5) / 8, second = first + 0.125;
      const double norm = std::hypot(first, second), scale = kept_short && norm > kNorm ? kNorm / norm : 1;
      expected.insert(expected.end(), {static_cast<float>(first * scale), static_cast<float>(second * scale)});
    }
    EXPECT_THAT(std::vector<float>(found.data<float>().begin(), found.data<float>().end()),
                ::testing::Pointwise(::testing::FloatEq(), expected))
        << tables << " tables";
  };
  for (const PartitionStrategy strategy : {PartitionStrategy::kMod, PartitionStrategy::kDiv}) {
    for (const int64_t tables : {1, 2, 3, 4}) {
      for (const bool kept_short : {false, true}) check(strategy, tables, kept_short);
    }
  }
}
PLUMB_ON_EACH_BACKEND(SparseLookups);

}  // namespace
}  // namespace plumb
