// SparseSplit: elements dealt out to the pieces; the host waits for how many each has.
#include "fastpath/gpu/lib/grid.h"
#include "fastpath/gpu/lib/known_numbers.h"
#include "fastpath/gpu/lib/rows/dealt_rows.h"
#include "fastpath/gpu/lib/types.h"
#include "fastpath/gpu/sparse/elements.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// The piece of each element; the slot gets the number of one that is not along an axis of this size, plus 1.
PLUMB_GPU_KERNEL FindPieces(Coordinates rows, int64_t size, SplitSizes split, Global<int64_t> places,
                            Global<int64_t> slot) {
  const int64_t border = split.longer * (split.least + 1);
  for (int64_t row = First(); row < places.size; row += Stride()) {
    const int64_t at = rows(row, split.axis);
    const bool is_inside = at >= 0 && at < size;
    const int64_t piece = at < border ? at / (split.least + 1) : split.longer + (at - border) / split.least;
    places[row] = is_inside ? piece : -1;
    if (!is_inside) AtomicCas(slot[0], int64_t{0}, row + 1);
  }
}

class Split final : public GpuKernel {
 public:
  explicit Split(const Node& node) : pieces_(GetAttr<int64_t>(node.attrs, "num_split")) {}
  void Run(GpuContext& context) override {
    const SparseElements elements = SparseInput(context, 1);
    const std::vector<int64_t> sizes = ListedSizes(context.input(3));
    const Shape shape(sizes);
    const SplitSizes split = SplitSizesOf(context.input(0), shape, pieces_);
    Tensor places = context.Scratch(DType::kInt64, Shape({elements.sizes.count}));
    Launch(context.stream(), LoopOver(elements.sizes.count), FindPieces, CoordinatesOf(context, elements),
           shape[split.axis], split, context.ViewOf<int64_t>(places), context.NewSlot(OutsideOfSparse(shape)));
    const DealtRows dealt = DealRows(context, context.ViewOf<int64_t>(places), pieces_);
    const std::vector<int64_t> begins = BringNumbers(context, dealt.begins);
    for (int64_t piece = 0; piece < pieces_; ++piece) {
      Put(context, elements, dealt.rows, begins, split, static_cast<int>(piece), sizes);
    }
  }

 private:
  static void Put(GpuContext& context, const SparseElements& elements, const Tensor& rows,
                  const std::vector<int64_t>& begins, const SplitSizes& split, int piece, std::vector<int64_t> sizes) {
    const int pieces = static_cast<int>(split.pieces);
    const auto axis = static_cast<size_t>(split.axis);
    const int64_t begin = begins[static_cast<size_t>(piece)], count = begins[static_cast<size_t>(piece) + 1] - begin;
    std::vector<int64_t> offsets(sizes.size(), 0);
    offsets[axis] = split.Begin(piece);
    sizes[axis] = split.Size(piece);
    Tensor indices = context.AllocateOutput(piece, Shape({count, elements.sizes.rank}));
    Tensor values = context.AllocateOutput(pieces + piece, Shape({count}));
    TakeElements(context, elements, rows, begin, offsets, indices, values);
    context.SetOutput(2 * pieces + piece, OnHost(sizes));
  }

  const int64_t pieces_;
};

constexpr GpuKernelRow kRows[] = {
    {"SparseSplit", Make<Split>, ByHost::kNo, "split_dim shape output_shape"},
};

}  // namespace

std::span<const GpuKernelRow> SparseSplit() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
