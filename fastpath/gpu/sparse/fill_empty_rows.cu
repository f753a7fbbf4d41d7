// SparseFillEmptyRows and its gradient: elements listed by row; the host waits for how many there are with those that
// fill rows.
#include "fastpath/gpu/lib/folds.h"
#include "fastpath/gpu/lib/grid.h"
#include "fastpath/gpu/lib/known_numbers.h"
#include "fastpath/gpu/lib/reduce.h"
#include "fastpath/gpu/lib/rows/dealt_rows.h"
#include "fastpath/gpu/lib/rows/row_lists.h"
#include "fastpath/gpu/lib/strided_copy.h"
#include "fastpath/gpu/lib/types.h"
#include "fastpath/gpu/sparse/elements.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// The slot gets the number of an element that is in none of the rows, plus 1.
PLUMB_GPU_KERNEL FindRows(Coordinates from, int64_t rows, Global<int64_t> places, Global<int64_t> slot) {
  for (int64_t i = First(); i < places.size; i += Stride()) {
    const int64_t row = from(i, 0);
    const bool is_inside = row >= 0 && row < rows;
    places[i] = is_inside ? row : -1;
    if (!is_inside) AtomicCas(slot[0], int64_t{0}, i + 1);
  }
}

PLUMB_GPU_KERNEL SizeRows(Global<const int64_t> counts, Global<bool> empty, Global<int64_t> sizes) {
  for (int64_t row = First(); row < counts.size; row += Stride()) {
    empty[row] = counts[row] == 0;
    sizes[row] = counts[row] == 0 ? 1 : int64_t{counts[row]};
  }
}

// Where each element goes: rows begin at `starts`, and their elements stand at `begins` in `listed`.
PLUMB_GPU_KERNEL SendElements(Global<const int64_t> places, Global<const int64_t> starts, Global<const int64_t> begins,
                              Global<const int64_t> listed, Global<int64_t> went) {
  for (int64_t entry = First(); entry < listed.size; entry += Stride()) {
    const int64_t element = listed[entry], row = places[element];
    went[element] = starts[row] + entry - begins[row];
  }
}

template <class T>
PLUMB_GPU_KERNEL PutElements(Coordinates from, Global<const T> values, Global<const int64_t> went,
                             Global<int64_t> indices, Global<T> filled) {
  for (int64_t i = First(); i < went.size; i += Stride()) {
    const int64_t to = went[i];
    filled[to] = values[i];
    for (int axis = 0; axis < from.rank; ++axis) indices[to * from.rank + axis] = from(i, axis);
  }
}

template <class T>
PLUMB_GPU_KERNEL PutDefaults(Global<const bool> empty, Global<const int64_t> starts, Global<const T> value, int rank,
                             Global<int64_t> indices, Global<T> filled) {
  for (int64_t row = First(); row < empty.size; row += Stride()) {
    if (!empty[row]) continue;
    const int64_t to = starts[row];
    filled[to] = value[0];
    for (int axis = 0; axis < rank; ++axis) indices[to * rank + axis] = axis == 0 ? row : 0;
  }
}

class FillEmptyRows final : public GpuKernel {
 public:
  explicit FillEmptyRows(const Node&) {}
  void Run(GpuContext& context) override {
    const Tensor &indices = context.input(0), &values = context.input(1);
    const SparseSizes sizes = SparseSizesOf(indices.shape());
    const int64_t rows = FilledRows(sizes, values.shape(), context.input(2), context.input(3).shape());
    const Coordinates from{context.In<int64_t>(0), sizes.rank};
    const auto numbers = [&](int64_t count) { return context.Scratch(DType::kInt64, Shape({count})); };
    Tensor empty_rows = context.AllocateOutput(2, Shape({rows}));
    Tensor places = numbers(sizes.count), row_sizes = numbers(rows), starts = numbers(rows + 1), last = numbers(1);
    const auto empty = context.ViewOf<bool>(empty_rows);
    const auto of = context.ViewOf<int64_t>(places), start = context.ViewOf<int64_t>(starts);
    Launch(context.stream(), LoopOver(of.size), FindRows, from, rows, of, context.NewSlot([rows](int64_t number) {
      return Status(Code::kInvalidArgument, Str("the row of element ", number - 1, " is not in [0, ", rows, ")"));
    }));
    const RowLists lists = ListRows(context, of, rows);
    const auto size = context.ViewOf<int64_t>(row_sizes);
    Launch(context.stream(), LoopOver(rows), SizeRows, context.ViewOf<int64_t>(lists.counts), empty, size);
    QueueBegins(context, size, start);
    CopyRange(context, starts, rows, last, 0, 1);
    const int64_t count = BringNumbers(context, last).front();
    Tensor filled_indices = context.AllocateOutput(0, Shape({count, sizes.rank}));
    Tensor filled_values = context.AllocateOutput(1, Shape({count}));
    Tensor sent = context.AllocateOutput(3, Shape({sizes.count}));
    const auto went = context.ViewOf<int64_t>(sent), at = context.ViewOf<int64_t>(filled_indices);
    Launch(context.stream(), LoopOver(went.size), SendElements, of, start, context.ViewOf<int64_t>(lists.begins),
           context.ViewOf<int64_t>(lists.rows), went);
    ForSizeOf(context.node(), values.dtype(), [&](auto tag) {
      using T = typename decltype(tag)::Type;
      const auto filled = context.ViewOf<T>(filled_values);
      Launch(context.stream(), LoopOver(went.size), PutElements<T>, from, context.ViewOf<T>(values), went, at, filled);
      Launch(context.stream(), LoopOver(rows), PutDefaults<T>, empty, start, context.ViewOf<T>(context.input(3)),
             sizes.rank, at, filled);
    });
  }
};

// What came from each element's place; `rest` becomes zero where something came from. The slot gets the number of an
// element that went nowhere, plus 1.
template <class T>
PLUMB_GPU_KERNEL TakeGradients(Global<const int64_t> map, Global<const T> grad, Global<T> values, Global<T> rest,
                               Global<int64_t> slot) {
  for (int64_t i = First(); i < map.size; i += Stride()) {
    const int64_t from = map[i];
    if (from < 0 || from >= grad.size) {
      AtomicCas(slot[0], int64_t{0}, i + 1);
      continue;
    }
    values[i] = grad[from];
    rest[from] = T{};
  }
}

template <class T>
class FillEmptyRowsGrad final : public GpuKernel {
 public:
  explicit FillEmptyRowsGrad(const Node&) {}
  void Run(GpuContext& context) override {
    const Tensor &map = context.input(0), &grad = context.input(1);
    Require(map.rank() == 1 && grad.rank() == 1, "reverse_index_map of shape ", map.shape().ToString(),
            " and grad_values of shape ", grad.shape().ToString(), " must be vectors");
    Tensor values = context.AllocateOutput(0, map.shape()), sum = context.AllocateOutput(1, Shape());
    Tensor rest = context.Scratch(grad.dtype(), grad.shape());
    CopyRange(context, grad, 0, rest, 0, grad.elements());
    const Global<int64_t> slot = context.NewSlot([size = grad.elements()](int64_t number) {
      return Status(Code::kInvalidArgument, Str("reverse_index_map[", number - 1, "] is not in [0, ", size, ")"));
    });
    Launch(context.stream(), LoopOver(map.elements()), TakeGradients<T>, context.In<int64_t>(0), context.In<T>(1),
           context.ViewOf<T>(values), context.ViewOf<T>(rest), slot);
    QueueFold(context, PlanFold(grad.shape(), {true}), Global<const T>(context.ViewOf<T>(rest)), context.ViewOf<T>(sum),
              SumFold<T>());
  }
};

// By the type of the gradients.
std::unique_ptr<GpuKernel> MakeGrad(const Node& node) {
  return ForType(node, node.input_types[1], Join<Floats, AllIntegers>(), [&](auto tag) -> std::unique_ptr<GpuKernel> {
    return std::make_unique<FillEmptyRowsGrad<typename decltype(tag)::Type>>(node);
  });
}

constexpr GpuKernelRow kRows[] = {
    {"SparseFillEmptyRows", Make<FillEmptyRows>},
    {"SparseFillEmptyRowsGrad", MakeGrad},
};

}  // namespace

std::span<const GpuKernelRow> SparseFillEmptyRows() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
