#include "fastpath/gpu/lib/axes.h"
#include "fastpath/gpu/lib/runs.h"
#include "fastpath/gpu/lib/strided_copy.h"
#include "fastpath/gpu/lib/tiled_copy.h"
#include "fastpath/gpu/lib/types.h"
#include "fastpath/gpu/runtime/cuda_driver.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

template <class T>
PLUMB_GPU_KERNEL CopyLoop(Global<const T> from, int64_t from_first, Global<T> to, int64_t to_first, Walk walk,
                          int64_t count) {
  for (int64_t i = First(); i < count; i += Stride()) {
    const WalkPlaces places = walk.BothAt(i);
    to[to_first + places.second] = from[from_first + places.first];
  }
}

// A copy of elements of so many bytes.
struct Moves {
  Walk walk;
  int64_t from_first = 0, to_first = 0, bytes = 0;
};

// The same in elements as wide as cards move at once, as far as neighbours move together and lie right.
Moves Widened(const Moves& moves, const Tensor& from, const Tensor& to) {
  const Walk& walk = moves.walk;
  const int inmost = walk.rank - 1;
  if (walk.rank == 0 || walk.stride[0][inmost] != 1 || walk.stride[1][inmost] != 1) return moves;
  uint64_t odd = static_cast<uint64_t>(walk.size[inmost] | moves.from_first | moves.to_first);
  for (int axis = 0; axis < inmost; ++axis) odd |= static_cast<uint64_t>(walk.stride[0][axis] | walk.stride[1][axis]);
  odd = odd * static_cast<uint64_t>(moves.bytes) | reinterpret_cast<uintptr_t>(from.raw()) |
        reinterpret_cast<uintptr_t>(to.raw()) | kBytesAtOnce;
  const auto width = static_cast<int64_t>(odd & (~odd + 1)), times = width / moves.bytes;
  if (times <= 1) return moves;
  Moves wide{Walk(), moves.from_first / times, moves.to_first / times, width};
  for (int axis = 0; axis < inmost; ++axis) {
    AddAxis(wide.walk, walk.size[axis], walk.stride[0][axis] / times, walk.stride[1][axis] / times);
  }
  AddAxis(wide.walk, walk.size[inmost] / times, 1, 1);
  return wide;
}

template <class T>
void QueueMoves(GpuContext& context, const Moves& moves, const Tensor& from, Tensor& to) {
  int64_t count = 1;
  for (int axis = 0; axis < moves.walk.rank; ++axis) count *= moves.walk.size[axis];
  const auto in_all = [](const Tensor& tensor) { return static_cast<int64_t>(tensor.bytes() / sizeof(T)); };
  const Global<const T> source(static_cast<const T*>(from.raw()), in_all(from));
  const Global<T> target(static_cast<T*>(to.mutable_raw()), in_all(to));
  Launch(context.stream(), LoopOver(count), CopyLoop<T>, source, moves.from_first, target, moves.to_first, moves.walk,
         count);
}

bool EndsAligned(DType type, int64_t elements) {
  return elements * static_cast<int64_t>(ElementSize(type)) % static_cast<int64_t>(kTensorAlignment) == 0;
}

}  // namespace

void CopyAlong(GpuContext& context, const Walk& walk, const Tensor& from, int64_t from_first, Tensor& to,
               int64_t to_first) {
  for (int axis = 0; axis < walk.rank; ++axis) {
    if (walk.size[axis] == 0) return;
  }
  if (CopyByTiles(context, walk, from, from_first, to, to_first)) return;
  const auto size = static_cast<int64_t>(ElementSize(from.dtype()));
  const Moves moves = Widened({walk, from_first, to_first, size}, from, to);
  switch (moves.bytes == size ? 0 : moves.bytes) {
    case 2:
      return QueueMoves<uint16_t>(context, moves, from, to);
    case 4:
      return QueueMoves<uint32_t>(context, moves, from, to);
    case 8:
      return QueueMoves<uint64_t>(context, moves, from, to);
    case kBytesAtOnce:
      return QueueMoves<Pack<uint64_t, 2>>(context, moves, from, to);
    default:
      return ForSizeOf(context.node(), from.dtype(),
                       [&](auto tag) { QueueMoves<typename decltype(tag)::Type>(context, moves, from, to); });
  }
}

void CopyRows(GpuContext& context, const Rows& rows, const Tensor& from, int64_t from_first, Tensor& to,
              int64_t to_first) {
  Walk walk;
  AddAxis(walk, rows.rows, rows.from_step, rows.to_step);
  AddAxis(walk, rows.run, 1, 1);
  CopyAlong(context, walk, from, from_first, to, to_first);
}

void CopyRange(GpuContext& context, const Tensor& from, int64_t from_first, Tensor& to, int64_t to_first,
               int64_t count) {
  if (count == 0) return;
  const size_t size = ElementSize(from.dtype());
  Check(cudaMemcpyAsync(static_cast<char*>(to.mutable_raw()) + static_cast<size_t>(to_first) * size,
                        static_cast<const char*>(from.raw()) + static_cast<size_t>(from_first) * size,
                        static_cast<size_t>(count) * size, cudaMemcpyDeviceToDevice, context.stream()),
        "to copy on a GPU");
}

void SetUnaliased(GpuContext& context, int output, const Tensor& x, const Shape& shape) {
  if (!x.is_alias()) return context.SetOutput(output, x.Reshaped(shape));
  const Tensor alias = x;
  Tensor copy = context.AllocateOutput(output, shape);
  CopyRange(context, alias, 0, copy, 0, alias.elements());
}

bool SharesRows(const Tensor& tensor) {
  if (tensor.rank() == 0 || tensor.elements() == 0) return false;
  return EndsAligned(tensor.dtype(), tensor.elements() / tensor.dim(0));
}

bool SharesSlice(const Tensor& tensor, int64_t begin, int64_t size) {
  if (tensor.rank() != 1) return SharesRows(tensor);
  return size > 0 && EndsAligned(tensor.dtype(), begin) && EndsAligned(tensor.dtype(), size);
}

int64_t StrideAlong(const Shape& shape, int axis) { return ElementsIn(shape, axis + 1, shape.rank()); }

}  // namespace plumb::fast::GPU_NAMESPACE
