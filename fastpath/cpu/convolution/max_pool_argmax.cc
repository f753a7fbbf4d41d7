// MaxPoolWithArgmax and the gradient that goes by the places it found.
#include <type_traits>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/half_convert.h"
#include "fastpath/cpu/lib/image/pooling.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/strided_copy.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

class MaxPoolWithArgmaxKernel : public PoolingKernel {
 public:
  explicit MaxPoolWithArgmaxKernel(const Node& node)
      : PoolingKernel(node, InputType(node, 0), SizeChecks::kSizesThenBatch),
        argmax_type_(OutputType(node, 1)),
        with_batch_(GetAttr<bool>(node.attrs, "include_batch_in_index")) {}

  void Run(KernelContext& context) override {
    const PoolingSize size = SizeOf(context.input(0).shape());
    RefuseOverChannels();
    Require(context.input(0).elements() > 0, "images of shape ", Printed(context.input(0).shape()),
            " have no largest element");
    const Tensor input = Wide(context, context.input(0));
    Tensor output = Allocate(ComputeType(dtype_), size.output());
    Tensor& argmax = context.AllocateOutput(1, argmax_type_, size.output());
    VisitReal(ComputeType(dtype_), [&](auto tag) {
      using T = typename decltype(tag)::Type;
      const T* const x = input.data<T>().data();
      T* const y = output.mutable_data<T>().data();
      if (argmax_type_ == DType::kInt32) {
        Pool(context.pool(), size, x, y, argmax.mutable_data<int32_t>().data());
      } else {
        Pool(context.pool(), size, x, y, argmax.mutable_data<int64_t>().data());
      }
    });
    SetWide(context, std::move(output));
  }

 private:
  template <class T, class Index>
  void Pool(ThreadPool& pool, const PoolingSize& size, const T* x, T* y, Index* argmax) const {
    ForEachWindowInParallel(pool, size, [&](int64_t image, int64_t at, WindowPixels pixels) {
      for (int64_t c = 0; c < size.depth && !pixels.empty(); ++c) {
        int64_t best = pixels[0];
        for (const int64_t pixel : pixels) best = x[image + best + c] < x[image + pixel + c] ? pixel : best;
        y[at + c] = x[image + best + c];
        argmax[at + c] = static_cast<Index>((with_batch_ ? image : 0) + best + c);
      }
    });
  }

  const DType argmax_type_;
  const bool with_batch_;
};

class MaxPoolGradWithArgmaxKernel : public PoolingKernel {
 public:
  explicit MaxPoolGradWithArgmaxKernel(const Node& node)
      : PoolingKernel(node, InputType(node, 0), SizeChecks::kBatchThenSizes),
        with_batch_(GetAttr<bool>(node.attrs, "include_batch_in_index")) {}

  void Run(KernelContext& context) override {
    const PoolingSize size = SizeOf(context.input(0).shape());
    RefuseOverChannels();
    RequireOutputShape(size, context.input(1).shape(), "grad");
    RequireOutputShape(size, context.input(2).shape(), "argmax");
    const Tensor gradient = Wide(context, context.input(1));
    Tensor result = AllocateZeros(context.pool(), ComputeType(dtype_), size.input());
    const int64_t* const argmax = context.input(2).data<int64_t>().data();
    const int64_t outputs = size.rows.output * size.columns.output * size.depth;
    VisitReal(ComputeType(dtype_), [&](auto tag) {
      using T = typename decltype(tag)::Type;
      const T* const dy = gradient.data<T>().data();
      T* const dx = result.mutable_data<T>().data();
      context.pool().ParallelFor(size.batch, GrainFor(outputs), [&](int64_t begin, int64_t end) {
        for (int64_t n = begin; n < end; ++n) {
          AddAtPlaces(n * size.image(), size.image(), dy + n * outputs, argmax + n * outputs, outputs, dx);
        }
      });
    });
    SetWide(context, std::move(result));
  }

 private:
  template <class T>
  void AddAtPlaces(int64_t first, int64_t image, const T* dy, const int64_t* argmax, int64_t count, T* dx) const {
    for (int64_t i = 0; i < count; ++i) {
      const bool inside = with_batch_ ? argmax[i] >= first && argmax[i] < first + image  //
                                      : argmax[i] >= 0 && argmax[i] < image;
      Require(inside, "argmax names the element ", argmax[i], ", which is not in the window's image");
      T& to = dx[with_batch_ ? argmax[i] : first + argmax[i]];
      if constexpr (std::is_integral_v<T>) {
        to = static_cast<T>(static_cast<uint64_t>(to) + static_cast<uint64_t>(dy[i]));
      } else {
        to += dy[i];
      }
    }
  }

  const bool with_batch_;
};

constexpr KernelRow kRows[] = {
    {"MaxPoolWithArgmax", Make<MaxPoolWithArgmaxKernel>},
    {"MaxPoolGradWithArgmax", Make<MaxPoolGradWithArgmaxKernel>},
};

}  // namespace

std::span<const KernelRow> ConvolutionMaxPoolArgmax() { return kRows; }

}  // namespace plumb::fast::cpu
