// MatrixBandPart: zeros outside of a band around the main diagonal.
#include <algorithm>
#include <cstring>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

class MatrixBandPart final : public Kernel {
 public:
  explicit MatrixBandPart(const Node& node) : type_(InputType(node, 0)) {}
  void Run(KernelContext& context) override {
    const Tensor &x = context.input(0), &lower_input = context.input(1), &upper_input = context.input(2);
    Require(x.rank() >= 2, "the input must have two dimensions at least, not the shape ", x.shape().ToString());
    Require(lower_input.rank() == 0 && upper_input.rank() == 0, "num_lower and num_upper must be scalars");
    const int64_t rows = x.dim(x.rank() - 2), columns = x.dim(x.rank() - 1);
    const int64_t lower = IntAt(lower_input, 0), upper = IntAt(upper_input, 0);
    Require(lower <= rows, "num_lower = ", lower, " must be negative or at most the number of rows, ", rows);
    Require(upper <= columns, "num_upper = ", upper, " must be negative or at most the number of columns, ", columns);
    const bool keeps_all = (lower < 0 || lower == rows) && (upper < 0 || upper == columns);
    if (keeps_all || x.elements() == 0) return context.SetOutput(0, x);  // R31
    context.CopyGuarded(0);
    const Shape shape = x.shape();
    const size_t size = ElementSize(type_);
    const char* const from = static_cast<const char*>(x.raw());
    char* const to = static_cast<char*>(context.ForwardOrAllocate(0, 0, type_, shape).mutable_raw());
    const int64_t line = columns * static_cast<int64_t>(size);
    context.pool().ParallelFor(shape.elements() / columns, GrainFor(columns), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const int64_t row = i % rows;
        const int64_t last = upper < 0 ? columns : std::min(columns, row + upper + 1);
        const int64_t first = lower < 0 ? 0 : std::clamp<int64_t>(row - lower, 0, last);
        const size_t before = static_cast<size_t>(first) * size, kept = static_cast<size_t>(last - first) * size;
        char* const target = to + i * line;
        std::memset(target, 0, before);
        if (from != to) std::memcpy(target + before, from + i * line + before, kept);
        std::memset(target + before + kept, 0, static_cast<size_t>(line) - before - kept);
      }
    });
  }
  bool KeepsAliases() const override { return true; }

 private:
  DType type_;
};

constexpr KernelRow kRows[] = {
    {"MatrixBandPart", Make<MatrixBandPart>},
    {"BatchMatrixBandPart", Make<MatrixBandPart>},
};

}  // namespace

std::span<const KernelRow> ArrayBandPart() { return kRows; }

}  // namespace plumb::fast::cpu
