// Where: the host waits for how many elements are not zero.
#include "fastpath/gpu/lib/grid.h"
#include "fastpath/gpu/lib/known_numbers.h"
#include "fastpath/gpu/lib/rows/dealt_rows.h"
#include "fastpath/gpu/lib/types.h"
#include "fastpath/gpu/lib/words.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

constexpr int kMostDimensions = 8;

struct Sides {
  int rank = 0;
  int64_t size[kMostDimensions] = {};
};

// Complex numbers are two words each.
template <class T>
PLUMB_GPU_KERNEL MarkLoop(Global<const T> x, int words, Global<int64_t> places) {
  for (int64_t i = First(); i < places.size; i += Stride()) {
    bool is_zero = true;
    for (int word = 0; word < words; ++word) is_zero &= Computed<T>::Load(x[i * words + word]) == 0;
    places[i] = is_zero ? -1 : 0;
  }
}

// One row of coordinates for each element.
PLUMB_GPU_KERNEL CoordinatesLoop(Global<const int64_t> elements, Sides sides, Global<int64_t> out) {
  for (int64_t row = First(); row * sides.rank < out.size; row += Stride()) {
    int64_t rest = elements[row];
    for (int axis = sides.rank - 1; axis >= 0; --axis) {
      out[row * sides.rank + axis] = rest % sides.size[axis];
      rest /= sides.size[axis];
    }
  }
}

// Of elements of type T, `words` to a number.
template <class T, int words>
class Where final : public GpuKernel {
 public:
  explicit Where(const Node&) {}
  void Run(GpuContext& context) override {
    const Tensor input = context.input(0);
    const int rank = input.rank();
    Require(rank >= 1 && rank <= kMostDimensions, "where takes one to eight dimensions, not ", rank);
    Tensor places = context.Scratch(DType::kInt64, Shape({input.elements()}));
    const auto marks = context.ViewOf<int64_t>(places);
    const Global<const T> x(static_cast<const T*>(input.raw()), input.elements() * words);
    Launch(context.stream(), LoopOver(marks.size), MarkLoop<T>, x, words, marks);
    const DealtRows found = DealRows(context, marks, 1);
    const int64_t count = BringNumbers(context, found.begins)[1];
    Sides sides;
    sides.rank = rank;
    for (int axis = 0; axis < rank; ++axis) sides.size[axis] = input.dim(axis);
    Tensor index = context.AllocateOutput(0, Shape({count, rank}));
    Launch(context.stream(), LoopOver(count), CoordinatesLoop, context.ViewOf<int64_t>(found.rows), sides,
           context.ViewOf<int64_t>(index));
  }
};

std::unique_ptr<GpuKernel> MakeWhere(const Node& node) {
  const DType type = node.input_types[0];
  if (type == DType::kComplex64) return Make<Where<float, 2>>(node);
  if (type == DType::kComplex128) return Make<Where<double, 2>>(node);
  using Types = Join<Reals, TypeList<bool, int8_t, uint8_t>>;
  return ForType(node, type, Types(), [&](auto tag) -> std::unique_ptr<GpuKernel> {
    return std::make_unique<Where<typename decltype(tag)::Type, 1>>(node);
  });
}

constexpr GpuKernelRow kRows[] = {
    {"Where", MakeWhere},
};

}  // namespace

std::span<const GpuKernelRow> ArrayWhere() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
