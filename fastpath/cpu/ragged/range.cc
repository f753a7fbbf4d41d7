// RaggedRange: sizes first, then one row after the other, cut over threads.
#include <cmath>
#include <type_traits>

#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/cpu/lib/types.h"

namespace plumb::fast::cpu {
namespace {

template <class T>
int64_t RowSize(T start, T limit, T delta) {
  Require(delta < 0 || delta > 0, "delta must not be 0");
  if (delta > 0 ? limit < start : limit > start) return 0;
  if constexpr (std::is_integral_v<T>) {
    const uint64_t a = static_cast<uint64_t>(start), b = static_cast<uint64_t>(limit), d = static_cast<uint64_t>(delta);
    const uint64_t span = delta > 0 ? b - a : a - b, step = delta > 0 ? d : uint64_t{0} - d;
    const uint64_t size = span / step + (span % step != 0 ? 1 : 0);
    Require(size <= static_cast<uint64_t>(INT64_MAX), "a row of ", size, " values is too long");
    return static_cast<int64_t>(size);
  } else {
    const T size = std::ceil(std::abs((limit - start) / delta));
    Require(size < static_cast<T>(0x1p63), "a row of ", size, " values is too long");
    return static_cast<int64_t>(size);
  }
}

// An input as a number for each row; a scalar is the same for all.
template <class T>
struct PerRow {
  const T* at;
  int64_t step;
  explicit PerRow(const Tensor& tensor) : at(tensor.data<T>().data()), step(tensor.rank()) {}
  T operator[](int64_t row) const { return at[row * step]; }
};

template <class T>
class RaggedRangeKernel final : public Kernel {
 public:
  explicit RaggedRangeKernel(const Node& node) : splits_(OutputType(node, 0)) {}

  void Run(KernelContext& context) override {
    const int64_t rows = RowsOf(context);
    const PerRow<T> starts(context.input(0)), limits(context.input(1)), deltas(context.input(2));
    Tensor& ends = context.AllocateOutput(0, splits_, Shape({rows + 1}));
    const auto fill = [&](auto tag) {
      using Split = typename decltype(tag)::Type;
      Split* const split = ends.mutable_data<Split>().data();
      split[0] = 0;
      for (int64_t row = 0; row < rows; ++row) {
        const int64_t size = RowSize(starts[row], limits[row], deltas[row]);
        Require(size <= std::numeric_limits<Split>::max() - split[row],
                "all rows together are too long for splits of type ", DTypeName(splits_));
        split[row + 1] = static_cast<Split>(split[row] + size);
      }
      T* const values = context.AllocateOutput(1, DTypeOf<T>, Shape({split[rows]})).template mutable_data<T>().data();
      const int64_t grain = GrainFor(split[rows] / std::max<int64_t>(1, rows) + 4);
      context.pool().ParallelFor(rows, grain, [&](int64_t begin, int64_t end) {
        for (int64_t row = begin; row < end; ++row)
          FillRow(values + split[row], split[row + 1] - split[row], starts[row], deltas[row]);
      });
    };
    splits_ == DType::kInt32 ? fill(TypeTag<int32_t>()) : fill(TypeTag<int64_t>());
  }

 private:
  int64_t RowsOf(const KernelContext& context) const {
    int64_t rows = -1;
    for (int i = 0; i < 3; ++i) {
      const Shape& shape = context.input(i).shape();
      Require(shape.rank() <= 1, "starts, limits and deltas must be scalars or vectors, not of shape ", Printed(shape));
      if (shape.rank() == 0) continue;
      Require(rows < 0 || rows == shape[0], "starts, limits and deltas have ", rows, " and ", shape[0],
              " elements, but must have as many");
      rows = shape[0];
    }
    return rows < 0 ? 1 : rows;
  }

  static void FillRow(T* to, int64_t size, T start, T delta) {
    for (int64_t i = 0; i < size; ++i) {
      if constexpr (std::is_integral_v<T>) {
        using U = std::make_unsigned_t<T>;
        to[i] = static_cast<T>(static_cast<U>(start) + static_cast<U>(i) * static_cast<U>(delta));
      } else {
        to[i] = start + static_cast<T>(i) * delta;
      }
    }
  }

  const DType splits_;
};

std::unique_ptr<Kernel> MakeRange(const Node& node) {
  return VisitOneOf(Types<float, double, int32_t, int64_t>(), InputType(node, 0), std::unique_ptr<Kernel>(),
                    [&](auto tag) -> std::unique_ptr<Kernel> {
                      return std::make_unique<RaggedRangeKernel<typename decltype(tag)::Type>>(node);
                    });
}

constexpr KernelRow kRows[] = {
    {"RaggedRange", MakeRange},
};

}  // namespace

std::span<const KernelRow> RaggedRange() { return kRows; }

}  // namespace plumb::fast::cpu
