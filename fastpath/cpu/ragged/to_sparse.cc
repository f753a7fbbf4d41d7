// RaggedTensorToSparse: one pass over the values, with a counter for each axis; the values are handed on.
#include <algorithm>

#include "fastpath/cpu/lib/sparse_tensor.h"
#include "fastpath/cpu/ragged/splits.h"

namespace plumb::fast::cpu {
namespace {

class RaggedToSparse final : public Kernel {
 public:
  explicit RaggedToSparse(const Node& node)
      : ragged_rank_(static_cast<int>(GetAttr<int64_t>(node.attrs, "RAGGED_RANK"))) {}

  void Run(KernelContext& context) override {
    for (int i = 0; i < ragged_rank_; ++i) context.CopyGuarded(i);
    const Tensor& values = context.input(ragged_rank_);
    const std::vector<std::vector<int64_t>> nested = Nested(context, RowsOfValues(values));
    Dims dims;
    dims.Append(context.input(0).dim(0) - 1);  // whatever the other dimensions hold
    for (const auto& splits : nested) dims.Append(Longest(splits));
    for (int axis = 1; axis < values.rank(); ++axis) dims.Append(values.dim(axis));
    WriteIndices(nested, values, AllocateRows(context, 0, values.elements(), dims.rank));
    SetDims(context, 2, dims);
    context.SetOutput(1, values.Reshaped(Shape({values.elements()})));
  }
  bool KeepsAliases() const override { return true; }

 private:
  std::vector<std::vector<int64_t>> Nested(const KernelContext& context, int64_t rows) const {
    std::vector<std::vector<int64_t>> nested;
    for (int i = 0; i < ragged_rank_; ++i) nested.push_back(SplitsOf(context.input(i)));
    for (size_t i = 0; i < nested.size(); ++i) {
      const int64_t inner = i + 1 < nested.size() ? RowsIn(nested[i + 1]) : rows;
      Require(nested[i].front() == 0 && nested[i].back() == inner, "splits go from ", nested[i].front(), " to ",
              nested[i].back(), ", but must go from 0 to the ", inner, " rows inside");
    }
    return nested;
  }

  static int64_t Longest(const std::vector<int64_t>& splits) {
    int64_t longest = 0;
    for (size_t row = 1; row < splits.size(); ++row) longest = std::max(longest, splits[row] - splits[row - 1]);
    return longest;
  }

  // `place[axis]` is the row of ragged axis `axis` in which the next value lies.
  static void WriteIndices(const std::vector<std::vector<int64_t>>& nested, const Tensor& values, int64_t* to) {
    const size_t ragged = nested.size();
    std::vector<size_t> place(ragged, 0);
    Dims inner;
    for (int axis = 1; axis < values.rank(); ++axis) inner.Append(values.dim(axis));
    const int64_t elements = RowElements(values);
    for (int64_t row = 0; elements > 0 && row < values.dim(0); ++row) {
      int64_t at = row;
      for (size_t axis = ragged; axis-- > 0;) {
        while (nested[axis][place[axis] + 1] <= at) ++place[axis];
        at = static_cast<int64_t>(place[axis]);
      }
      for (int64_t element = 0; element < elements; ++element) {
        *to++ = static_cast<int64_t>(place[0]);
        for (size_t axis = 0; axis < ragged; ++axis) {
          const int64_t inside = axis + 1 < ragged ? static_cast<int64_t>(place[axis + 1]) : row;
          *to++ = inside - nested[axis][place[axis]];
        }
        SetCoordinates(inner, element, to);
        to += inner.rank;
      }
    }
  }

  const int ragged_rank_;
};

constexpr KernelRow kRows[] = {
    {"RaggedTensorToSparse", Make<RaggedToSparse>},
};

}  // namespace

std::span<const KernelRow> RaggedToSparse() { return kRows; }

}  // namespace plumb::fast::cpu
