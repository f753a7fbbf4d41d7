// SparseFillEmptyRows and its gradient: elements counted by row, then dealt out.
#include <type_traits>

#include "fastpath/cpu/lib/sparse_tensor.h"
#include "fastpath/cpu/lib/types.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

class FillEmptyRows final : public Kernel {
 public:
  explicit FillEmptyRows(const Node& node) : type_(InputType(node, 1)) {}
  void Run(KernelContext& context) override {
    const Tensor indices_as_given = context.input(0);
    context.Unalias(0);
    context.Unalias(2);
    const IndexRows from = IndexRowsOf(context.input(0));
    const int64_t rows =
        FilledRows({from.count, from.rank}, context.input(1).shape(), context.input(2), context.input(3).shape());
    bool* const empty = context.AllocateOutput(2, DType::kBool, Shape({rows})).mutable_data<bool>().data();
    Tensor next = Allocate(DType::kInt64, Shape({rows + 1}));
    FindStarts(from, rows, empty, next.mutable_data<int64_t>().data());
    if (StayAsTheyAre(from, rows, empty)) {  // R31
      context.SetOutput(0, indices_as_given);
      context.SetOutput(1, context.input(1));
      const auto went = context.AllocateOutput(3, DType::kInt64, Shape({from.count})).mutable_data<int64_t>();
      return std::iota(went.begin(), went.end(), int64_t{0});
    }
    context.CopyGuarded(1);
    context.CopyGuarded(3);
    Put(context, from, rows, empty, next.mutable_data<int64_t>().data());
  }
  bool KeepsAliases() const override { return true; }

 private:
  // Where each row begins in the result, and where the last one ends.
  static void FindStarts(const IndexRows& from, int64_t rows, bool* empty, int64_t* start) {
    std::fill(start, start + rows + 1, 0);
    for (int64_t i = 0; i < from.count; ++i) {
      const int64_t row = from[i][0];
      Require(row >= 0 && row < rows, "element ", i, " is in row ", row, ", which is not in [0, ", rows, ")");
      ++start[row + 1];
    }
    for (int64_t row = 0; row < rows; ++row) {
      int64_t& end = start[row + 1];
      empty[row] = end == 0;
      end = std::max<int64_t>(end, 1) + start[row];
    }
  }

  // Whether there is nothing to fill, and the elements stand in the order of their rows.
  static bool StayAsTheyAre(const IndexRows& from, int64_t rows, const bool* empty) {
    for (int64_t i = 1; i < from.count; ++i) {
      if (from[i][0] < from[i - 1][0]) return false;
    }
    return std::none_of(empty, empty + rows, [](bool is) { return is; });
  }

  // `next`: where the next element of each row goes, and behind them where the last one ends.
  void Put(KernelContext& context, const IndexRows& from, int64_t rows, const bool* empty, int64_t* next) const {
    const int64_t count = next[rows];
    int64_t* const at = AllocateRows(context, 0, count, from.rank);
    Tensor& filled = context.AllocateOutput(1, type_, Shape({count}));
    int64_t* const went = context.AllocateOutput(3, DType::kInt64, Shape({from.count})).mutable_data<int64_t>().data();
    for (int64_t row = 0; row < rows; ++row) {
      if (!empty[row]) continue;
      const int64_t to = next[row];
      std::fill(at + to * from.rank, at + (to + 1) * from.rank, 0);
      at[to * from.rank] = row;
      CopyRun(type_, context.input(3).raw(), 0, filled.mutable_raw(), to, 1);
    }
    for (int64_t i = 0; i < from.count; ++i) {
      went[i] = next[from[i][0]]++;
      for (int axis = 0; axis < from.rank; ++axis) at[went[i] * from.rank + axis] = from[i][axis];
    }
    ScatterElements(context.input(1), went, filled);
  }

  const DType type_;
};

class FillEmptyRowsGrad final : public Kernel {
 public:
  using Summed = decltype(IntegerTypes() + ComplexTypes() + FloatTypes());
  explicit FillEmptyRowsGrad(const Node& node) : type_(InputType(node, 1)) {}
  void Run(KernelContext& context) override {
    const Tensor &map = context.input(0), &grad = context.input(1);
    Require(map.rank() == 1 && grad.rank() == 1, "reverse_index_map of shape ", map.shape().ToString(),
            " and grad_values of shape ", grad.shape().ToString(), " must be vectors");
    std::vector<bool> taken(static_cast<size_t>(grad.dim(0)), false);
    std::vector<int64_t> from(static_cast<size_t>(map.dim(0)));
    for (size_t i = 0; i < from.size(); ++i) {
      from[i] = IntAt(map, static_cast<int64_t>(i));
      Require(from[i] >= 0 && from[i] < grad.dim(0), "reverse_index_map[", i, "] is ", from[i],
              ", which is not in [0, ", grad.dim(0), ")");
      taken[static_cast<size_t>(from[i])] = true;
    }
    GatherElements(grad, from, context.AllocateOutput(0, type_, map.shape()));
    VisitOneOf(Summed(), type_, false, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      using Sum = std::conditional_t<kIsFloat16<T>, float, T>;
      Sum sum(0);
      const std::span<const T> dy = grad.data<T>();
      for (size_t i = 0; i < dy.size(); ++i) {
        if (!taken[i]) sum = static_cast<Sum>(sum + static_cast<Sum>(dy[i]));
      }
      context.AllocateOutput(1, type_, Shape()).mutable_data<T>()[0] = static_cast<T>(sum);
      return true;
    });
  }

 private:
  const DType type_;
};

constexpr KernelRow kRows[] = {
    {"SparseFillEmptyRows", Make<FillEmptyRows>},
    {"SparseFillEmptyRowsGrad", Make<FillEmptyRowsGrad>},
};

}  // namespace

std::span<const KernelRow> SparseFillEmptyRows() { return kRows; }

}  // namespace plumb::fast::cpu
