// SparseCross and SparseCrossV2: combinations of the elements of each row, joined or hashed.
#include "fastpath/cpu/lib/fingerprint.h"
#include "fastpath/cpu/lib/sparse_tensor.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

// Elements [begin, end) are those of a row.
struct RowRun {
  int64_t row, begin, end;
};

struct Column {
  const Tensor* values;
  bool is_dense;
  std::vector<RowRun> runs;  // of a sparse matrix
  size_t next = 0;           // the run that the row being crossed may have

  // The elements of a row; rows are asked for in ascending order.
  RowRun At(int64_t row) {
    const int64_t width = is_dense ? values->dim(1) : 0;
    if (is_dense) return {row, row * width, (row + 1) * width};
    while (next < runs.size() && runs[next].row < row) ++next;
    return next < runs.size() && runs[next].row == row ? runs[next] : RowRun{row, 0, 0};
  }
};

// What the inputs say: how many rows there are, and their elements, column by column.
struct Columns {
  int64_t batch = -1;
  std::vector<Column> all;

  Columns(const KernelContext& context, int sparse, int dense) {
    for (int i = 0; i < sparse; ++i) {
      const Tensor& shape = context.input(2 * sparse + i);
      Require(shape.rank() == 1 && shape.dim(0) == 2, "shapes[", i, "] has the shape ", shape.shape().ToString(),
              ", but must have two sizes");
      Agree(IntAt(shape, 0), i == 0);
    }
    for (int i = 0; i < dense; ++i) {
      const Tensor& matrix = context.input(3 * sparse + i);
      Require(matrix.rank() == 2, "dense_inputs[", i, "] has the shape ", matrix.shape().ToString(),
              ", but must be a matrix");
      Agree(matrix.dim(0), sparse == 0 && i == 0);
    }
    for (int i = 0; i < sparse; ++i) {
      const Tensor& values = context.input(sparse + i);
      const IndexRows rows = IndexRowsOf(context.input(i));
      Require(rows.rank == 2 && values.rank() == 1 && values.dim(0) == rows.count, "indices[", i, "] and values[", i,
              "] are no sparse matrix");
      all.push_back({&values, false, RunsOf(rows), 0});
    }
    for (int i = 0; i < dense; ++i) all.push_back({&context.input(3 * sparse + i), true, {}, 0});
    if (all.empty()) batch = 0;
  }

  // Rows that may have crosses, in ascending order: those of the first column.
  std::vector<int64_t> Rows() const {
    std::vector<int64_t> rows;
    if (all.empty()) return rows;
    for (const RowRun& run : all[0].runs) rows.push_back(run.row);
    for (int64_t row = 0; all[0].is_dense && all[0].values->elements() > 0 && row < batch; ++row) rows.push_back(row);
    return rows;
  }

 private:
  void Agree(int64_t rows, bool is_first) {
    Require(is_first || rows == batch, "a column has ", rows, " rows, but those before it ", batch);
    batch = rows;
  }

  // A row that is out of order or out of the batch ends the list.
  std::vector<RowRun> RunsOf(const IndexRows& rows) const {
    std::vector<RowRun> runs;
    for (int64_t i = 0; i < rows.count; ++i) {
      const int64_t row = rows[i][0];
      if (row < 0 || row >= batch || (!runs.empty() && row < runs.back().row)) break;
      if (runs.empty() || row != runs.back().row) runs.push_back({row, i, i});
      runs.back().end = i + 1;
    }
    return runs;
  }
};

// The crosses of one row, and where they begin in the result.
struct Crossed {
  std::vector<RowRun> elements;  // one run for each column
  int64_t begin, count;
};

class Cross final : public Kernel {
 public:
  Cross(const Node& node, bool is_v2)
      : sparse_(static_cast<int>(GetAttr<int64_t>(node.attrs, "N"))),
        dense_(static_cast<int>(GetAttr<std::vector<DType>>(node.attrs, "dense_types").size())),
        is_v2_(is_v2),
        is_hashed_(OutputType(node, 1) == DType::kInt64),
        has_all_values_(std::ssize(GetAttr<std::vector<DType>>(node.attrs, "sparse_types")) == sparse_) {
    if (is_v2_) return;
    buckets_ = static_cast<uint64_t>(GetAttr<int64_t>(node.attrs, "num_buckets"));
    key_ = static_cast<uint64_t>(GetAttr<int64_t>(node.attrs, "hash_key"));
    only_texts_ = GetAttr<DType>(node.attrs, "internal_type") == DType::kString;
  }

  void Run(KernelContext& context) override {
    Require(has_all_values_, "there must be values for each of ", sparse_, " indices");
    std::string separator = "_X_";
    if (is_v2_) {
      const Tensor& sep = context.input(context.num_inputs() - 1);
      Require(sep.rank() == 0, "sep must be a scalar, not of shape ", sep.shape().ToString());
      separator = sep.scalar<std::string>();
    }
    Columns columns(context, sparse_, dense_);
    for (const Column& column : columns.all) {
      Require(!only_texts_ || column.values->dtype() == DType::kString,
              "with the internal type string, values must be ", "strings");
    }
    int64_t total = 0, widest = 0;
    const std::vector<Crossed> rows = CrossedRows(columns, total, widest);
    int64_t* at = AllocateRows(context, 0, total, 2);
    for (const Crossed& row : rows) {
      for (int64_t i = 0; i < row.count; ++i) {
        *at++ = row.elements[0].row;
        *at++ = i;
      }
    }
    Tensor& values = context.AllocateOutput(1, is_hashed_ ? DType::kInt64 : DType::kString, Shape({total}));
    for (const Crossed& row : rows) is_hashed_ ? Hash(columns, row, values) : Join(columns, row, separator, values);
    int64_t* const shape = context.AllocateOutput(2, DType::kInt64, Shape({2})).mutable_data<int64_t>().data();
    shape[0] = columns.batch;
    shape[1] = widest;
  }

 private:
  static std::vector<Crossed> CrossedRows(Columns& columns, int64_t& total, int64_t& widest) {
    std::vector<Crossed> rows;
    for (const int64_t row : columns.Rows()) {
      Crossed crossed{{}, total, 1};
      for (Column& column : columns.all) {
        crossed.elements.push_back(column.At(row));
        const auto more = CheckedMultiply(crossed.count, crossed.elements.back().end - crossed.elements.back().begin);
        if (!more) throw InvalidArgument("row ", row, " has more crosses than can be counted");
        crossed.count = *more;
      }
      if (crossed.count == 0) continue;
      widest = std::max(widest, crossed.count);
      Require(!__builtin_add_overflow(total, crossed.count, &total), "there are more crosses than can be counted");
      rows.push_back(std::move(crossed));
    }
    return rows;
  }

  // Calls f(cross, element of each column) for all crosses of a row, the last column varying fastest.
  template <class F>
  static void ForEachCross(const Crossed& row, const F& f) {
    std::vector<int64_t> at;
    for (const RowRun& run : row.elements) at.push_back(run.begin);
    for (int64_t i = 0; i < row.count; ++i) {
      f(row.begin + i, at);
      for (size_t column = at.size(); column-- > 0;) {
        if (++at[column] < row.elements[column].end) break;
        at[column] = row.elements[column].begin;
      }
    }
  }

  static void Join(const Columns& columns, const Crossed& row, const std::string& separator, Tensor& values) {
    const auto texts = values.mutable_data<std::string>();
    ForEachCross(row, [&](int64_t cross, const std::vector<int64_t>& at) {
      std::string& text = texts[static_cast<size_t>(cross)];
      for (size_t i = 0; i < at.size(); ++i) {
        if (i > 0) text += separator;
        const Tensor& column = *columns.all[i].values;
        if (column.dtype() == DType::kString) {
          text += column.data<std::string>()[static_cast<size_t>(at[i])];
        } else {
          text += std::to_string(column.data<int64_t>()[static_cast<size_t>(at[i])]);
        }
      }
    });
  }

  void Hash(const Columns& columns, const Crossed& row, Tensor& values) const {
    const auto hashes = values.mutable_data<int64_t>();
    ForEachCross(row, [&](int64_t cross, const std::vector<int64_t>& at) {
      uint64_t hash = key_;
      for (size_t i = 0; i < at.size(); ++i) {
        const Tensor& column = *columns.all[i].values;
        const auto element = static_cast<size_t>(at[i]);
        hash = FarmHash::Cat(hash, column.dtype() == DType::kString
                                       ? FarmHash::Of(column.data<std::string>()[element])
                                       : static_cast<uint64_t>(column.data<int64_t>()[element]));
      }
      hashes[static_cast<size_t>(cross)] = static_cast<int64_t>(hash % (buckets_ > 0 ? buckets_ : INT64_MAX));
    });
  }

  const int sparse_;
  const int dense_;
  const bool is_v2_;
  const bool is_hashed_;
  const bool has_all_values_;  // for each of the indices
  uint64_t buckets_ = 0;
  uint64_t key_ = 0;
  bool only_texts_ = false;
};

constexpr KernelRow kRows[] = {
    {"SparseCross", MakeWith<Cross, false>},
    {"SparseCrossV2", MakeWith<Cross, true>},
};

}  // namespace

std::span<const KernelRow> SparseCross() { return kRows; }

}  // namespace plumb::fast::cpu
