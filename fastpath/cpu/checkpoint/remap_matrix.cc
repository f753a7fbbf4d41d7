// Rows and columns of a stored matrix in another order.
#include <algorithm>
#include <unordered_set>

#include "fastpath/cpu/checkpoint/bundle_slice.h"
#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

class LoadAndRemapMatrixKernel : public Kernel {
 public:
  explicit LoadAndRemapMatrixKernel(const Node& node)
      : rows_(GetAttr<int64_t>(node.attrs, "num_rows")), columns_(GetAttr<int64_t>(node.attrs, "num_cols")) {}

  void Run(KernelContext& context) override {
    const auto row_of = IndicesIn(context, 2, rows_);
    Require(context.input(3).rank() == 1, "input 3 must be a vector, not of shape ", Printed(context.input(3).shape()));
    const bool remaps_columns = context.input(3).elements() > 0;
    const auto column_of = IndicesIn(context, 3, remaps_columns ? columns_ : 0);
    BundleReader reader(Files(), TextIn(context, 0));
    const BundleEntry entry = reader.Find(TextIn(context, 1));
    CheckMatrix(entry, remaps_columns);
    const Tensor old = OldRows(context.pool(), reader, entry, row_of);
    const int64_t first = old.IsSet() ? FirstRow(row_of) : 0;

    const Tensor& initial = context.input(4);
    const float* next = static_cast<const float*>(initial.raw());
    const float* const end = next + initial.elements();
    auto* to = static_cast<float*>(context.AllocateOutput(0, DType::kFloat, Shape{rows_, columns_}).mutable_raw());
    for (const int64_t row : row_of) {
      const float* const from = row < 0 ? nullptr : Row(old, row - first);
      if (from != nullptr && !remaps_columns) {
        to = std::copy_n(from, columns_, to);
        continue;
      }
      for (int64_t j = 0; j < columns_; ++j) {
        const int64_t column = remaps_columns ? column_of[j] : j;
        const bool is_old = from != nullptr && column >= 0;
        Require(!is_old || column < entry.shape[1], "'", entry.name, "' has ", entry.shape[1],
                " columns, and none of the number ", column);
        Require(is_old || next < end, "there are only ", initial.elements(), " initializing values");
        *to++ = is_old ? from[column] : *next++;
      }
    }
    Require(next == end, end - next, " of the initializing values are not needed");
  }

 private:
  const std::string& TextIn(const KernelContext& context, int input) const {
    const Tensor& text = context.input(input);
    Require(text.elements() == 1, "input ", input, " must be one string, not of shape ", Printed(text.shape()));
    return text.data<std::string>()[0];
  }

  // Old indices, each at most once; negative ones stand for none.
  std::span<const int64_t> IndicesIn(const KernelContext& context, int input, int64_t size) const {
    const Tensor& tensor = context.input(input);
    Require(tensor.rank() == 1 && tensor.elements() == size, "input ", input, " must be a vector of ", size,
            " indices, not of shape ", Printed(tensor.shape()));
    const std::span<const int64_t> indices = tensor.data<int64_t>();
    std::unordered_set<int64_t> seen;
    for (const int64_t index : indices) {
      if (index >= 0 && !seen.insert(index).second) {
        throw Unimplemented("input ", input, " has the index ", index, " twice");
      }
    }
    return indices;
  }

  void CheckMatrix(const BundleEntry& entry, bool remaps_columns) const {
    Require(entry.dtype == DType::kFloat && entry.shape.rank() == 2, "'", entry.name, "' is ", DTypeName(entry.dtype),
            Printed(entry.shape), " in the checkpoint, not a matrix of float32");
    Require(remaps_columns || entry.shape[1] == columns_, "'", entry.name, "' has ", entry.shape[1],
            " columns in the checkpoint, num_cols is ", columns_);
  }

  static int64_t FirstRow(std::span<const int64_t> row_of) {
    int64_t first = INT64_MAX;
    for (const int64_t row : row_of) first = row < 0 ? first : std::min(first, row);
    return first;
  }

  // All rows from the first to the last that is needed; unset where none is.
  Tensor OldRows(ThreadPool& pool, BundleReader& reader, const BundleEntry& entry,
                 std::span<const int64_t> row_of) const {
    const int64_t last = row_of.empty() ? -1 : *std::max_element(row_of.begin(), row_of.end());
    if (last < 0) return {};
    if (last >= entry.shape[0]) {
      throw Internal("'", entry.name, "' has ", entry.shape[0], " rows, and none of the number ", last);
    }
    const int64_t first = FirstRow(row_of);
    TensorSlice wanted = TensorSlice::Whole(2);
    if (first > 0 || last + 1 < entry.shape[0]) wanted.extents[0] = {first, last + 1 - first};
    return ReadSlice(pool, reader, entry, wanted);
  }

  const float* Row(const Tensor& old, int64_t row) const {
    return static_cast<const float*>(old.raw()) + row * old.shape()[1];
  }

  const int64_t rows_, columns_;
};

constexpr KernelRow kRows[] = {
    {"LoadAndRemapMatrix", Make<LoadAndRemapMatrixKernel>},
};

}  // namespace

std::span<const KernelRow> CheckpointRemapMatrix() { return kRows; }

}  // namespace plumb::fast::cpu
