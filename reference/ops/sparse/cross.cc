// Crosses of features: every combination of one element from each column, row by row.
#include <map>

#include "reference/ops/lib/fingerprint.h"
#include "reference/ops/lib/sparse_tensor.h"

namespace plumb::reference {
namespace {

// One matrix of features: those of row b are elements [first, first + count).
struct Column {
  Tensor values;
  std::map<int64_t, std::pair<int64_t, int64_t>> rows;  // of a sparse matrix: first and count

  int64_t Count(int64_t row) const {
    if (values.rank() == 2) return values.dim(1);
    const auto found = rows.find(row);
    return found == rows.end() ? 0 : found->second.second;
  }
  int64_t First(int64_t row) const { return values.rank() == 2 ? row * values.dim(1) : rows.at(row).first; }
  std::string Text(int64_t i) const {
    const auto at = static_cast<size_t>(i);
    if (values.dtype() == DType::kString) return values.data<std::string>()[at];
    return Str(values.data<int64_t>()[at]);
  }
  uint64_t Number(int64_t i) const {
    const auto at = static_cast<size_t>(i);
    if (values.dtype() == DType::kString) return FarmHash(values.data<std::string>()[at]);
    return static_cast<uint64_t>(values.data<int64_t>()[at]);
  }
};

struct Columns {
  int64_t batch = 0;
  std::vector<Column> all;

  // Inputs: indices of N sparse matrices, their values, their shapes, then the dense ones.
  explicit Columns(const OpContext& c) {
    const auto sparse = static_cast<int>(c.attr<int64_t>("N"));
    const auto dense = static_cast<int>(c.attr<std::vector<DType>>("dense_types").size());
    Require(c.attr<std::vector<DType>>("sparse_types").size() == static_cast<size_t>(sparse),
            "there must be values for ", "each of ", sparse, " indices");
    for (int i = 0; i < sparse; ++i) {
      const Tensor& shape = c.tensor(2 * sparse + i);
      Require(shape.shape() == Shape{2}, "shapes[", i, "] must have two sizes, not the shape ",
              shape.shape().ToString());
      SetBatch(shape.data<int64_t>()[0]);
    }
    for (int i = 0; i < dense; ++i) {
      const Tensor& matrix = c.tensor(3 * sparse + i);
      Require(matrix.rank() == 2, "dense_inputs[", i, "] must be a matrix, not of shape ", matrix.shape().ToString());
      SetBatch(matrix.dim(0));
    }
    for (int i = 0; i < sparse; ++i) AddSparse(c.tensor(i), c.tensor(sparse + i));
    for (int i = 0; i < dense; ++i) all.push_back({c.tensor(3 * sparse + i), {}});
  }

  // The rows in which every column has an element.
  std::vector<int64_t> FullRows() const {
    std::vector<int64_t> rows;
    const auto add = [&](int64_t row) {
      bool is_full = true;
      for (const Column& column : all) is_full = is_full && column.Count(row) > 0;
      if (is_full) rows.push_back(row);
    };
    if (all.empty()) return rows;
    if (all[0].values.rank() == 2) {
      for (int64_t row = 0; row < (all[0].values.elements() > 0 ? batch : 0); ++row) add(row);
    }
    for (const auto& [row, place] : all[0].rows) add(row);
    return rows;
  }

 private:
  void SetBatch(int64_t rows) {
    Require(!is_set_ || rows == batch, "all columns must have ", batch, " rows, not ", rows);
    batch = rows;
    is_set_ = true;
  }

  // Rows are met in order. One that is out of order or out of the batch is never met, nor is any after it.
  void AddSparse(const Tensor& indices, const Tensor& values) {
    const Coordinates at = CoordinatesOf(indices);
    Require(at.rank == 2 && values.shape() == Shape{at.count}, "indices of shape ", indices.shape().ToString(),
            " and values of shape ", values.shape().ToString(), " are no sparse matrix");
    Column column{values, {}};
    for (int64_t i = 0; i < at.count; ++i) {
      const int64_t row = at(i, 0), last = column.rows.empty() ? -1 : column.rows.rbegin()->first;
      if (row < last || row < 0 || row >= batch) break;
      column.rows.try_emplace(row, i, 0).first->second.second += 1;
    }
    all.push_back(std::move(column));
  }

  bool is_set_ = false;
};

// Calls f(row, number, elements) for the combinations of each row, the last column varying fastest.
template <class F>
Coordinates ForEachCross(const Columns& columns, int64_t& widest, F f) {
  Coordinates at{0, 2, {}};
  for (const int64_t row : columns.FullRows()) {
    std::vector<int64_t> counts;
    for (const Column& column : columns.all) counts.push_back(column.Count(row));
    const int64_t crosses = Shape(counts).elements();
    CheckResultSize(Shape{crosses});
    widest = std::max(widest, crosses);
    for (int64_t cross = 0; cross < crosses; ++cross) {
      std::vector<int64_t> elements = CoordinatesAt(counts, cross);
      for (size_t i = 0; i < elements.size(); ++i) elements[i] += columns.all[i].First(row);
      f(elements);
      at.Append(std::vector<int64_t>{row, cross});
    }
  }
  return at;
}

void Join(OpContext& c, const std::string& separator) {
  const Columns columns(c);
  std::vector<std::string> joined;
  int64_t widest = 0;
  const Coordinates at = ForEachCross(columns, widest, [&](const std::vector<int64_t>& elements) {
    std::string text;
    for (size_t i = 0; i < elements.size(); ++i) text += (i == 0 ? "" : separator) + columns.all[i].Text(elements[i]);
    joined.push_back(std::move(text));
  });
  const std::vector<int64_t> shape = {columns.batch, widest};
  SparseOutput(c, 0, at, MakeTensor<std::string>({at.count}, std::span<const std::string>(joined)), shape);
}

void Hash(OpContext& c) {
  const Columns columns(c);
  const auto buckets = static_cast<uint64_t>(c.attr<int64_t>("num_buckets"));
  std::vector<int64_t> hashes;
  int64_t widest = 0;
  const Coordinates at = ForEachCross(columns, widest, [&](const std::vector<int64_t>& elements) {
    auto hash = static_cast<uint64_t>(c.attr<int64_t>("hash_key"));
    for (size_t i = 0; i < elements.size(); ++i) hash = CatFingerprints(hash, columns.all[i].Number(elements[i]));
    hashes.push_back(static_cast<int64_t>(hash % (buckets > 0 ? buckets : INT64_MAX)));
  });
  const std::vector<int64_t> shape = {columns.batch, widest};
  SparseOutput(c, 0, at, VectorOf(hashes), shape);
}

// Texts are made of texts only, if the internal type says so.
void SparseCross(OpContext& c) {
  if (c.attr<DType>("internal_type") == DType::kString) {
    for (const char* const types : {"sparse_types", "dense_types"}) {
      for (const DType type : c.attr<std::vector<DType>>(types)) {
        Require(type == DType::kString, "with the internal type string, all values must be strings, not ",
                DTypeName(type));
      }
    }
  }
  c.output_type(1) == DType::kString ? Join(c, "_X_") : Hash(c);
}

void SparseCrossV2(OpContext& c) {
  const Tensor& separator = c.tensor(c.num_inputs() - 1);
  Require(separator.rank() == 0, "sep must be a scalar, not of shape ", separator.shape().ToString());
  Join(c, separator.scalar<std::string>());
}

constexpr KernelRow kRows[] = {
    {"SparseCross", SparseCross},
    {"SparseCrossV2", SparseCrossV2},
};

}  // namespace

namespace topics {
std::span<const KernelRow> SparseCross() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
