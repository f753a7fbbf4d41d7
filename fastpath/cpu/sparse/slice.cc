// SparseSlice and its gradient: the elements within a box.
#include <limits>

#include "fastpath/cpu/lib/int_vector.h"
#include "fastpath/cpu/lib/sparse_tensor.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

const int64_t* BoxOf(const KernelContext& context, int input, int rank) {
  const Tensor& tensor = context.input(input);
  Require(tensor.rank() == 1 && tensor.dim(0) == rank, "start and size must have ", rank, " elements, not the shape ",
          tensor.shape().ToString());
  return tensor.data<int64_t>().data();
}

// How far a coordinate is from the start; false when it lies before it.
bool Offset(int64_t at, int64_t start, int64_t& offset) {
  if (at < start) return false;
  const uint64_t difference = static_cast<uint64_t>(at) - static_cast<uint64_t>(start);
  offset = static_cast<int64_t>(difference);
  return difference <= static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
}

class Slice final : public Kernel {
 public:
  explicit Slice(const Node& /*node*/) {}
  void Run(KernelContext& context) override {
    const SparseView view = SparseInput(context, 0);
    const int rank = view.rows.rank;
    const int64_t *start = BoxOf(context, 3, rank), *size = BoxOf(context, 4, rank);
    const std::vector<int64_t> sizes = SlicedSizes(view.dims.ToShape(), {start, start + rank}, {size, size + rank});
    std::vector<int64_t> at, from;
    for (int64_t i = 0; i < view.rows.count; ++i) {
      const size_t kept = at.size();
      for (int axis = 0; axis < rank; ++axis) {
        int64_t offset;
        if (!Offset(view.rows[i][axis], start[axis], offset) || offset >= size[axis]) break;
        at.push_back(offset);
      }
      if (at.size() == kept + static_cast<size_t>(rank)) {
        from.push_back(i);
      } else {
        at.resize(kept);
      }
    }
    const auto count = static_cast<int64_t>(from.size());
    std::copy(at.begin(), at.end(), AllocateRows(context, 0, count, rank));
    GatherElements(*view.values, from, context.AllocateOutput(1, view.values->dtype(), Shape({count})));
    SetIntVector(context, 2, DType::kInt64, sizes);
  }
};

class SliceGrad final : public Kernel {
 public:
  explicit SliceGrad(const Node& node) : type_(InputType(node, 0)) {}
  void Run(KernelContext& context) override {
    const Tensor& grad = context.input(0);
    const IndexRows from = IndexRowsOf(context.input(1)), to = IndexRowsOf(context.input(3));
    Require(grad.rank() == 1 && grad.dim(0) == to.count, "there are ", to.count,
            " output coordinates, but gradients of shape ", grad.shape().ToString());
    Require(to.count <= from.count, "there are ", to.count, " output coordinates of ", from.count, " in the input");
    Require(from.rank == to.rank, "input and output have ", from.rank, " and ", to.rank, " coordinates");
    const int64_t* const start = BoxOf(context, 2, from.rank);
    Tensor& output = context.AllocateOutput(0, type_, Shape({from.count}));
    FillZero(context.pool(), output);
    int64_t next = 0;
    VisitWord(type_, [&](auto tag) {
      using Word = typename decltype(tag)::Type;
      const Word* const gradients = static_cast<const Word*>(grad.raw());
      Word* const sums = static_cast<Word*>(output.mutable_raw());
      for (int64_t i = 0; i < from.count && next < to.count; ++i) {
        if (IsAt(from[i], to[next], start, from.rank)) sums[i] = gradients[next++];
      }
    });
    if (next < to.count) throw Internal("gradient ", next, " has no element of the input, in their order");
  }

 private:
  static bool IsAt(const int64_t* from, const int64_t* to, const int64_t* start, int rank) {
    for (int axis = 0; axis < rank; ++axis) {
      int64_t sum;
      if (__builtin_add_overflow(to[axis], start[axis], &sum) || sum != from[axis]) return false;
    }
    return true;
  }

  const DType type_;
};

constexpr KernelRow kRows[] = {
    {"SparseSlice", Make<Slice>},
    {"SparseSliceGrad", Make<SliceGrad>},
};

}  // namespace

std::span<const KernelRow> SparseSlice() { return kRows; }

}  // namespace plumb::fast::cpu
