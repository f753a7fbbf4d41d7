// RaggedCross: combinations of the elements of each row, joined or hashed; rows are shared out among threads.
#include <algorithm>

#include "fastpath/cpu/lib/fingerprint.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/row_splits.h"
#include "fastpath/cpu/ragged/splits.h"

namespace plumb::fast::cpu {
namespace {

// The elements of row b are [begins[b], begins[b + 1]).
struct Column {
  const Tensor* values;
  std::vector<int64_t> begins;

  int64_t Count(int64_t row) const { return begins[static_cast<size_t>(row) + 1] - begins[static_cast<size_t>(row)]; }
};

class RaggedCrossKernel final : public Kernel {
 public:
  explicit RaggedCrossKernel(const Node& node)
      : order_(GetAttr<std::string>(node.attrs, "input_order")),
        ragged_(TypesIn(node, "ragged_values_types")),
        sparse_(TypesIn(node, "sparse_values_types")),
        dense_(TypesIn(node, "dense_types")),
        buckets_(static_cast<uint64_t>(GetAttr<int64_t>(node.attrs, "num_buckets"))),
        key_(static_cast<uint64_t>(GetAttr<int64_t>(node.attrs, "hash_key"))),
        values_type_(OutputType(node, 0)),
        splits_type_(OutputType(node, 1)) {
    Require(TypesIn(node, "ragged_splits_types") == ragged_, ragged_, " ragged values need as many splits");
    Require(GetAttr<int64_t>(node.attrs, "Nsparse") == sparse_, sparse_, " sparse values need as many indices");
    Require(static_cast<int>(order_.size()) == ragged_ + sparse_ + dense_, "input_order '", order_,
            "' does not name each of ", ragged_ + sparse_ + dense_, " inputs");
  }

  void Run(KernelContext& context) override {
    const std::vector<Column> columns = Columns(context);
    const int64_t rows = columns.empty() ? 0 : RowsIn(columns[0].begins);
    std::vector<int64_t> begins = {0};
    for (int64_t row = 0; row < rows; ++row) {
      int64_t crosses = 1, total = 0;
      for (const Column& column : columns) {
        if (column.Count(row) == 0) crosses = 0;
      }
      for (const Column& column : columns) {
        Require(!__builtin_mul_overflow(crosses, column.Count(row), &crosses), "row ", row,
                " has more crosses than can be counted");
      }
      Require(!__builtin_add_overflow(begins.back(), crosses, &total) &&
                  (splits_type_ == DType::kInt64 || total <= INT32_MAX),
              "there are more crosses than ", DTypeName(splits_type_), " counts");
      begins.push_back(total);
    }
    Tensor& values = context.AllocateOutput(0, values_type_, Shape({begins.back()}));
    const int64_t per_row = begins.back() / std::max<int64_t>(rows, 1) + 1;
    context.pool().ParallelFor(rows, GrainFor(per_row * 20), [&](int64_t first, int64_t last) {
      for (int64_t row = first; row < last; ++row) {
        const int64_t to = begins[static_cast<size_t>(row)];
        Cross(columns, row, to, begins[static_cast<size_t>(row) + 1] - to, values);
      }
    });
    Tensor& splits = context.AllocateOutput(1, splits_type_, Shape({rows + 1}));
    SetSplits(splits, begins);
  }

 private:
  static int TypesIn(const Node& node, const char* attr) {
    return static_cast<int>(GetAttr<std::vector<DType>>(node.attrs, attr).size());
  }

  // All inputs, checked, in the order of crossing.
  std::vector<Column> Columns(const KernelContext& context) const {
    std::vector<Column> ragged, sparse, dense, ordered;
    for (int i = 0; i < ragged_; ++i) ragged.push_back(Ragged(context.input(i), context.input(ragged_ + i)));
    const int indices = 2 * ragged_, values = indices + sparse_, shapes = values + sparse_;
    for (int i = 0; i < sparse_; ++i) {
      sparse.push_back(Sparse(context.input(indices + i), context.input(values + i), context.input(shapes + i)));
    }
    for (int i = 0; i < dense_; ++i) dense.push_back(Dense(context.input(shapes + sparse_ + i)));
    size_t next[3] = {};
    for (const char letter : order_) {
      const size_t kind = std::string_view("RSD").find(letter);
      Require(kind < 3, "input_order '", order_, "' has a letter that is not R, S or D");
      std::vector<Column>& from = kind == 0 ? ragged : kind == 1 ? sparse : dense;
      Require(next[kind] < from.size(), "input_order '", order_, "' names more inputs '", letter, "' than there are");
      ordered.push_back(std::move(from[next[kind]++]));
      Require(ordered.back().begins.size() == ordered[0].begins.size(), "an input has ", RowsIn(ordered.back().begins),
              " rows, but the first one ", RowsIn(ordered[0].begins));
    }
    return ordered;
  }

  Column Ragged(const Tensor& values, const Tensor& splits) const {
    Column column{&values, VectorSplitsOf(splits)};
    Require(values.rank() == 1 && column.begins.front() == 0 && column.begins.back() == values.elements(),
            "splits go from ", column.begins.front(), " to ", column.begins.back(),
            ", which is not all of values of shape ", Printed(values.shape()));
    return column;
  }

  // Each row takes what is not above it, from where the row before has ended.
  Column Sparse(const Tensor& indices, const Tensor& values, const Tensor& shape) const {
    Require(indices.rank() == 2 && indices.dim(1) > 0 && values.rank() == 1 && values.dim(0) == indices.dim(0) &&
                shape.rank() == 1 && shape.dim(0) == 2,
            "indices ", Printed(indices.shape()), ", values ", Printed(values.shape()), " and shape ",
            Printed(shape.shape()), " are no sparse matrix");
    const int64_t rows = IntAt(shape, 0);
    Require(rows >= 0, "a sparse matrix has no ", rows, " rows");
    const Tensor checked = Allocate(DType::kInt64, Shape({rows}));  // refuses what no memory holds
    Column column{&values, {0}};
    int64_t at = 0;
    for (int64_t row = 0; row < checked.elements(); ++row) {
      while (at < values.elements() && IntAt(indices, at * indices.dim(1)) <= row) ++at;
      column.begins.push_back(at);
    }
    return column;
  }

  Column Dense(const Tensor& matrix) const {
    Require(matrix.rank() == 2, "a dense input has the shape ", Printed(matrix.shape()), ", but must be a matrix");
    const Tensor checked = Allocate(DType::kInt64, Shape({matrix.dim(0)}));  // as above
    Column column{&matrix, {}};
    for (int64_t row = 0; row <= checked.elements(); ++row) column.begins.push_back(row * matrix.dim(1));
    return column;
  }

  // All crosses of a row; the last column varies fastest.
  void Cross(const std::vector<Column>& columns, int64_t row, int64_t to, int64_t count, Tensor& values) const {
    std::vector<int64_t> at;
    for (const Column& column : columns) at.push_back(column.begins[static_cast<size_t>(row)]);
    for (int64_t i = 0; i < count; ++i) {
      if (values_type_ == DType::kString) {
        Join(columns, at, values.mutable_data<std::string>()[static_cast<size_t>(to + i)]);
      } else {
        values.mutable_data<int64_t>()[static_cast<size_t>(to + i)] = Hash(columns, at);
      }
      for (size_t column = at.size(); column-- > 0;) {
        const std::vector<int64_t>& begins = columns[column].begins;
        if (++at[column] < begins[static_cast<size_t>(row) + 1]) break;
        at[column] = begins[static_cast<size_t>(row)];
      }
    }
  }

  static void Join(const std::vector<Column>& columns, const std::vector<int64_t>& at, std::string& text) {
    for (size_t i = 0; i < at.size(); ++i) {
      if (i > 0) text += "_X_";
      const Tensor& values = *columns[i].values;
      const auto element = static_cast<size_t>(at[i]);
      text += values.dtype() == DType::kString ? values.data<std::string>()[element]
                                               : std::to_string(values.data<int64_t>()[element]);
    }
  }

  int64_t Hash(const std::vector<Column>& columns, const std::vector<int64_t>& at) const {
    uint64_t hash = key_;
    for (size_t i = 0; i < at.size(); ++i) {
      const Tensor& values = *columns[i].values;
      const auto element = static_cast<size_t>(at[i]);
      hash = FarmHash::Cat(hash, values.dtype() == DType::kString
                                     ? FarmHash::Of(values.data<std::string>()[element])
                                     : static_cast<uint64_t>(values.data<int64_t>()[element]));
    }
    return static_cast<int64_t>(hash % (buckets_ > 0 ? buckets_ : INT64_MAX));
  }

  const std::string order_;
  const int ragged_;
  const int sparse_;
  const int dense_;
  const uint64_t buckets_;
  const uint64_t key_;
  const DType values_type_;
  const DType splits_type_;
};

constexpr KernelRow kRows[] = {
    {"RaggedCross", Make<RaggedCrossKernel>},
};

}  // namespace

std::span<const KernelRow> RaggedCross() { return kRows; }

}  // namespace plumb::fast::cpu
