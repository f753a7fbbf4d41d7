// A graph for each op on sparse matrices, ragged tensors and sets whose row draws no large ones: a thousand rows of
// sixteen numbers each.
#include "bench/graphs/named.h"

namespace plumb::bench {
namespace {

constexpr int64_t kRows = 1000, kEach = 16, kColumns = 64, kCount = kRows * kEach;

using Inputs = std::vector<Output>;

Inputs Joined(Inputs first, const Inputs& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

// Numbers at every third column, from this one on; those of `values`, or zeros.
Inputs Matrix(Scope& scope, int64_t first, Output values = {}) {
  Tensor indices(DType::kInt64, {kCount, 2});
  for (int64_t i = 0; i < kCount; ++i) {
    indices.mutable_data<int64_t>()[2 * i] = i / kEach;
    indices.mutable_data<int64_t>()[2 * i + 1] = first + i % kEach * 3;
  }
  if (values.builder == nullptr) values = Floats(scope, {kCount});
  return {Constant(scope, std::move(indices)), values, Constant(scope, {kRows, kColumns})};
}

Output Ascending(Scope& scope) {
  return Values<int64_t>(scope, kCount, [](int64_t i) { return i % kEach * 5; });
}

BenchGraph On(const std::string& op, Scope& scope, const Inputs& inputs, AttrMap attrs = {},
              const char* of = "sparse") {
  return Named(op, of, scope, scope.Add(op, inputs, std::move(attrs)), kRows);
}

BenchGraph OnOne(const std::string& op) {
  Scope scope;
  return On(op, scope, Matrix(scope, 0));
}

// Two matrices that have a third of their places in common.
Inputs Two(Scope& scope) { return Joined(Matrix(scope, 0), Matrix(scope, 3)); }

BenchGraph OnTwo(const std::string& op, bool has_threshold = false) {
  Scope scope;
  Inputs inputs = Two(scope);
  if (has_threshold) inputs.push_back(Constant(scope, 0.0f));
  return On(op, scope, inputs);
}

BenchGraph SplittingGradient() {
  Scope scope;
  const Output places = Matrix(scope, 0)[0];
  return On("SparseAddGrad", scope, {Floats(scope, {kCount}), places, places, places});
}

BenchGraph OfWhole() {
  Scope scope;
  const Output places = Matrix(scope, 0)[0];
  return On("SparseSliceGrad", scope, {Floats(scope, {kCount}), places, Constant<int64_t>(scope, {0, 0}), places});
}

BenchGraph Concatenating() {
  Scope scope;
  const Inputs a = Matrix(scope, 0), b = Matrix(scope, 1);
  return On("SparseConcat", scope, {a[0], b[0], a[1], b[1], a[2], b[2]}, {{"concat_dim", 0}, {"N", 2}});
}

BenchGraph Densifying() {
  Scope scope;
  const Inputs m = Matrix(scope, 0);
  return On("SparseToDense", scope, {m[0], m[2], m[1], Constant(scope, 0.0f)});
}

BenchGraph Distances() {
  Scope scope;
  const auto row = [&](int64_t step) {
    Inputs matrix = Matrix(scope, 0, Values<int64_t>(scope, kCount, [&](int64_t i) { return i * step % 5; }));
    Tensor places(DType::kInt64, {kCount, 2});
    for (int64_t i = 0; i < 2 * kCount; ++i)
      places.mutable_data<int64_t>()[i] = i % 2 == 0 ? i / 2 / kEach : i / 2 % kEach;
    matrix[0] = Constant(scope, std::move(places));
    return matrix;
  };
  return On("EditDistance", scope, Joined(row(1), row(3)));
}

BenchGraph ReadingBack() {
  Scope scope;
  const Output written = scope.Call("SerializeManySparse", Matrix(scope, 0));
  return On("DeserializeManySparse", scope, {written}, {{"dtype", DType::kFloat}});
}

BenchGraph Compressing() {
  Scope scope;
  const Output compressed = scope.Call("SparseTensorToCSRSparseMatrix", Matrix(scope, 0));
  return On("CSRSparseMatrixToSparseTensor", scope, {compressed}, {{"type", DType::kFloat}});
}

// Factors of a matrix with fours on its diagonal and minus ones beside it.
BenchGraph Factoring() {
  Scope scope;
  constexpr int64_t kBand = 3, kPlaces = kBand * kRows - 2;
  Tensor places(DType::kInt64, {kPlaces, 2});
  Tensor numbers(DType::kFloat, {kPlaces});
  for (int64_t i = 0; i < kPlaces; ++i) {
    const int64_t row = (i + 1) / kBand, column = row + (i + 1) % kBand - 1;
    places.mutable_data<int64_t>()[2 * i] = row;
    places.mutable_data<int64_t>()[2 * i + 1] = column;
    numbers.mutable_data<float>()[i] = row == column ? 4.0f : -1.0f;
  }
  const Output matrix = scope.Call(
      "SparseTensorToCSRSparseMatrix",
      {Constant(scope, std::move(places)), Constant(scope, std::move(numbers)), Constant(scope, {kRows, kRows})});
  const Output order = scope.Call("SparseMatrixOrderingAMD", {matrix});
  return On("SparseMatrixSparseCholesky", scope, {matrix, order}, {{"type", DType::kFloat}});
}

BenchGraph Sizes() {
  Scope scope;
  return On("SetSize", scope, Matrix(scope, 0, Ascending(scope)), {}, "set");
}

BenchGraph Uniting() {
  Scope scope;
  const Output values = Ascending(scope);
  return On("SparseToSparseSetOperation", scope, Joined(Matrix(scope, 0, values), Matrix(scope, 0, values)),
            {{"set_operation", std::string("union")}}, "set");
}

// Rows of one to sixteen numbers.
Output Splits(Scope& scope) {
  return Values<int64_t>(scope, kRows + 1, [](int64_t i) { return i * (kEach + 1) / 2 + i % 2 * (kEach / 4); });
}
int64_t SplitNumbers() { return kRows * (kEach + 1) / 2; }

BenchGraph CountingRagged() {
  Scope scope;
  const Output values =
      Values<int32_t>(scope, SplitNumbers(), [](int64_t i) { return static_cast<int32_t>(i * 7 % kColumns); });
  return On("RaggedBincount", scope, {Splits(scope), values, Constant<int32_t>(scope, kColumns), Floats(scope, {0})});
}

BenchGraph Padding() {
  Scope scope;
  const Inputs inputs = {Constant<int64_t>(scope, {-1, -1}), Floats(scope, {SplitNumbers()}), Constant(scope, 0.0f),
                         Splits(scope)};
  return On("RaggedTensorToTensor", scope, inputs,
            {{"row_partition_types", std::vector<std::string>{"ROW_SPLITS"}}, {"num_row_partition_tensors", 1}},
            "ragged");
}

BenchGraph Cutting() {
  Scope scope;
  return On("RaggedTensorToVariant", scope, {Splits(scope), Floats(scope, {SplitNumbers()})},
            {{"batched_input", true}, {"RAGGED_RANK", 1}}, "ragged");
}

}  // namespace

std::vector<BenchGraph> SparseGraphs() {
  return {OnOne("SparseSoftmax"),
          OnOne("SerializeManySparse"),
          OnTwo("SparseAdd", true),
          OnTwo("SparseSparseMaximum"),
          OnTwo("SparseSparseMinimum"),
          SplittingGradient(),
          OfWhole(),
          Concatenating(),
          Densifying(),
          Distances(),
          ReadingBack(),
          Compressing(),
          Factoring(),
          Sizes(),
          Uniting(),
          CountingRagged(),
          Padding(),
          Cutting()};
}

}  // namespace plumb::bench
