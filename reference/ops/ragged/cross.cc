// Crosses of features: every combination of one element from each input, row by row.
#include "reference/ops/lib/fingerprint.h"
#include "reference/ops/lib/integer_tensor.h"
#include "reference/ops/ragged/splits.h"

namespace plumb::reference {
namespace {

// One input: the elements of row b are [splits[b], splits[b + 1]).
struct Feature {
  Tensor values;
  std::vector<int64_t> splits;

  int64_t Count(int64_t row) const { return splits[row + 1] - splits[row]; }
  std::string Text(int64_t i) const {
    return values.dtype() == DType::kString ? values.data<std::string>()[i] : Str(values.data<int64_t>()[i]);
  }
  uint64_t Number(int64_t i) const {
    if (values.dtype() == DType::kString) return FarmHash(values.data<std::string>()[i]);
    return static_cast<uint64_t>(values.data<int64_t>()[i]);
  }
};

// How many inputs of each kind there are, and where they begin.
struct Layout {
  explicit Layout(const OpContext& c)
      : ragged(static_cast<int>(c.attr<std::vector<DType>>("ragged_values_types").size())),
        sparse(static_cast<int>(c.attr<int64_t>("Nsparse"))),
        dense(static_cast<int>(c.attr<std::vector<DType>>("dense_types").size())) {}

  int ragged, sparse, dense;
  int first_sparse() const { return 2 * ragged; }
  int first_dense() const { return 2 * ragged + 3 * sparse; }
};

Feature RaggedFeature(const OpContext& c, const Layout& layout, int i) {
  Feature feature{c.tensor(i), VectorSplitsOf(c, layout.ragged + i)};
  Require(
      feature.values.rank() == 1 && feature.splits.front() == 0 && feature.splits.back() == feature.values.elements(),
      "splits must go from 0 to the number of values, a vector, not from ", feature.splits.front(), " to ",
      feature.splits.back(), " for values of shape ", feature.values.shape().ToString());
  return feature;
}

// An element belongs to the row in which it is met: one that is out of order belongs to a later one, or to none.
Feature SparseFeature(const OpContext& c, const Layout& layout, int i) {
  const int first = layout.first_sparse();
  const Tensor &indices = c.tensor(first + i), &values = c.tensor(first + layout.sparse + i),
               &shape = c.tensor(first + 2 * layout.sparse + i);
  Require(
      indices.rank() == 2 && indices.dim(1) > 0 && values.shape() == Shape{indices.dim(0)} && shape.shape() == Shape{2},
      "sparse input ", i, " is no sparse matrix: indices of shape ", indices.shape().ToString(), ", values of shape ",
      values.shape().ToString(), ", a shape of shape ", shape.shape().ToString());
  const int64_t rows = shape.data<int64_t>()[0];
  Require(rows >= 0, "a sparse matrix has no ", rows, " rows");
  CheckResultSize({rows, 2});
  Feature feature{values, {0}};
  int64_t at = 0;
  for (int64_t row = 0; row < rows; ++row) {
    while (at < values.elements() && indices.data<int64_t>()[at * indices.dim(1)] <= row) ++at;
    feature.splits.push_back(at);
  }
  return feature;
}

Feature DenseFeature(const OpContext& c, const Layout& layout, int i) {
  const Tensor& matrix = c.tensor(layout.first_dense() + i);
  Require(matrix.rank() == 2, "dense_inputs[", i, "] must be a matrix, not of shape ", matrix.shape().ToString());
  CheckResultSize({matrix.dim(0), 2});
  Feature feature{matrix, {}};
  for (int64_t row = 0; row <= matrix.dim(0); ++row) feature.splits.push_back(row * matrix.dim(1));
  return feature;
}

std::vector<Feature> FeaturesInOrder(const OpContext& c) {
  const Layout layout(c);
  std::vector<Feature> ragged, sparse, dense, ordered;
  for (int i = 0; i < layout.ragged; ++i) ragged.push_back(RaggedFeature(c, layout, i));
  for (int i = 0; i < layout.sparse; ++i) sparse.push_back(SparseFeature(c, layout, i));
  for (int i = 0; i < layout.dense; ++i) dense.push_back(DenseFeature(c, layout, i));
  size_t next_ragged = 0, next_sparse = 0, next_dense = 0;
  for (const char kind : c.attr<std::string>("input_order")) {
    Require(kind == 'R' || kind == 'S' || kind == 'D', "input_order consists of R, S and D, not of ",
            static_cast<int>(kind));
    const std::vector<Feature>& from = kind == 'R' ? ragged : kind == 'S' ? sparse : dense;
    size_t& next = kind == 'R' ? next_ragged : kind == 'S' ? next_sparse : next_dense;
    Require(next < from.size(), "input_order has more ", std::string(1, kind), " than there are such inputs");
    ordered.push_back(from[next++]);
  }
  for (const Feature& feature : ordered) {
    Require(feature.splits.size() == ordered[0].splits.size(), "all inputs must have one number of rows, not ",
            RowsIn(feature.splits), " and ", RowsIn(ordered[0].splits));
  }
  return ordered;
}

void CheckOrder(const Node& node) {
  const auto count = [&](const char* attr) { return GetAttr<std::vector<DType>>(node.attrs, attr).size(); };
  const size_t ragged = count("ragged_values_types"), sparse = count("sparse_values_types");
  Require(count("ragged_splits_types") == ragged, "there must be splits for each of ", ragged, " ragged values");
  Require(GetAttr<int64_t>(node.attrs, "Nsparse") == static_cast<int64_t>(sparse), "there must be indices for each of ",
          sparse, " sparse values");
  const std::string& order = GetAttr<std::string>(node.attrs, "input_order");
  Require(order.size() == ragged + sparse + count("dense_types"), "input_order '", order,
          "' must have a letter for each input");
}

// The combination with this number: one element of each feature.
std::vector<int64_t> Elements(const std::vector<Feature>& features, int64_t row, int64_t cross) {
  std::vector<int64_t> elements(features.size());
  for (size_t i = features.size(); i-- > 0;) {
    const int64_t count = features[i].Count(row);
    elements[i] = features[i].splits[row] + cross % count;
    cross /= count;
  }
  return elements;
}

std::string Joined(const std::vector<Feature>& features, const std::vector<int64_t>& elements) {
  std::string text;
  for (size_t i = 0; i < elements.size(); ++i) text += (i == 0 ? "" : "_X_") + features[i].Text(elements[i]);
  return text;
}

int64_t Hashed(const OpContext& c, const std::vector<Feature>& features, const std::vector<int64_t>& elements) {
  const auto buckets = static_cast<uint64_t>(c.attr<int64_t>("num_buckets"));
  auto hash = static_cast<uint64_t>(c.attr<int64_t>("hash_key"));
  for (size_t i = 0; i < elements.size(); ++i) hash = CatFingerprints(hash, features[i].Number(elements[i]));
  return static_cast<int64_t>(hash % (buckets > 0 ? buckets : INT64_MAX));
}

void RaggedCross(OpContext& c) {
  const std::vector<Feature> features = FeaturesInOrder(c);
  const int64_t rows = features.empty() ? 0 : RowsIn(features[0].splits);
  std::vector<int64_t> splits = {0};
  std::vector<std::string> texts;
  std::vector<int64_t> hashes;
  const bool is_text = c.output_type(0) == DType::kString;
  for (int64_t row = 0; row < rows; ++row) {
    std::vector<int64_t> counts;
    for (const Feature& feature : features) counts.push_back(feature.Count(row));
    const int64_t crosses = Shape(counts).elements();
    CheckResultSize({crosses});
    splits.push_back(splits.back() + crosses);
    Require(c.output_type(1) == DType::kInt64 || splits.back() <= INT32_MAX,
            "there are more crosses than int32 counts");
    for (int64_t cross = 0; cross < crosses; ++cross) {
      const std::vector<int64_t> elements = Elements(features, row, cross);
      if (is_text) {
        texts.push_back(Joined(features, elements));
      } else {
        hashes.push_back(Hashed(c, features, elements));
      }
    }
  }
  const int64_t total = splits.back();
  c.Output(0, is_text ? MakeTensor<std::string>({total}, std::span<const std::string>(texts))
                      : IntegerTensor(DType::kInt64, {total}, hashes));
  c.Output(1, IntegerTensor(c.output_type(1), {rows + 1}, splits));
}

constexpr KernelRow kRows[] = {
    {"RaggedCross", RaggedCross, CheckOrder},
};

}  // namespace

namespace topics {
std::span<const KernelRow> RaggedCross() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
