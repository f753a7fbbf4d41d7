#include "fastpath/gpu/lib/grid.h"
#include "fastpath/gpu/lib/sum.h"
#include "fastpath/gpu/lib/words.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

template <class T>
PLUMB_GPU_KERNEL SumLoop(Global<T> sum, Global<const T> more) {
  for (int64_t i = First(); i < sum.size; i += Stride()) {
    sum[i] = Computed<T>::Store(Add(Computed<T>::Load(sum[i]), Computed<T>::Load(more[i])));
  }
}

// A complex number is two real ones: `parts`.
template <class T>
void QueueFor(GpuDevice& device, Tensor& sum, const Tensor& more, int parts) {
  const int64_t size = sum.elements() * parts;
  Check(cudaSetDevice(device.number()), "to choose a GPU");
  Launch(device.stream(), LoopOver(size), SumLoop<T>, Global<T>(static_cast<T*>(sum.mutable_raw()), size),
         Global<const T>(static_cast<const T*>(more.raw()), size));
}

}  // namespace

void QueueSum(GpuDevice& device, Tensor& sum, const Tensor& more) {
  switch (sum.dtype()) {
    case DType::kFloat:
      return QueueFor<float>(device, sum, more, 1);
    case DType::kDouble:
      return QueueFor<double>(device, sum, more, 1);
    case DType::kHalf:
      return QueueFor<Half>(device, sum, more, 1);
    case DType::kBfloat16:
      return QueueFor<BFloat16>(device, sum, more, 1);
    case DType::kInt8:
      return QueueFor<int8_t>(device, sum, more, 1);
    case DType::kInt16:
      return QueueFor<int16_t>(device, sum, more, 1);
    case DType::kInt32:
      return QueueFor<int32_t>(device, sum, more, 1);
    case DType::kInt64:
      return QueueFor<int64_t>(device, sum, more, 1);
    case DType::kUint8:
      return QueueFor<uint8_t>(device, sum, more, 1);
    case DType::kUint16:
      return QueueFor<uint16_t>(device, sum, more, 1);
    case DType::kUint32:
      return QueueFor<uint32_t>(device, sum, more, 1);
    case DType::kUint64:
      return QueueFor<uint64_t>(device, sum, more, 1);
    case DType::kComplex64:
      return QueueFor<float>(device, sum, more, 2);
    case DType::kComplex128:
      return QueueFor<double>(device, sum, more, 2);
    default:
      throw Internal("no sums of ", DTypeName(sum.dtype()), " on ", device.name());
  }
}

}  // namespace plumb::fast::GPU_NAMESPACE
