// Conv3D and its two gradients: sizes are checked here, volume_convolution.h computes.

#include "fastpath/cpu/convolution/volume_convolution.h"
#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/half_convert.h"
#include "fastpath/cpu/lib/strided_copy.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

class Conv3dKernel : public Kernel {
 public:
  Conv3dKernel(const Node& node, int data_input) : node_(node), attrs_(node), dtype_(InputType(node, data_input)) {
    CheckVolumeConvolution(node);
  }

 protected:
  VolumeConvolution SizeOf(const Shape& input, const Shape& filter) const {
    const Shape volume = ToNdhwc(input, attrs_.channels_first);
    CheckVolumeFilter(volume[4], filter);
    VolumeConvolution size;
    size.batch = volume[0];
    size.in_depth = filter[3];
    size.out_depth = filter[4];
    size.axes = attrs_.Place(volume, {filter[0], filter[1], filter[2]});
    return size;
  }
  VolumeConvolution GradientSizeOf(const Shape& input, const Shape& filter, const Shape& gradient) const {
    const VolumeConvolution size = SizeOf(input, filter);
    const Shape output = size.output();
    RequireGradientShape(gradient, FromNdhwc(output, attrs_.channels_first));
    CheckGradientWeights(input, filter, {output[1], output[2], output[3]});
    return size;
  }

  // The second versions list the sizes, the first ones have a tensor that is of them.
  Shape GivenSizes(const char* name, const Tensor& given) const {
    return IsFloating(given.dtype()) ? given.shape() : ListedShape(name, given, 5);
  }

  Tensor WideVolume(KernelContext& context, int input) const {
    return AsFloat(context.pool(), ToNdhwc(context.pool(), context.input(input), attrs_.channels_first));
  }
  void SetWide(KernelContext& context, Tensor result, bool is_volume) const {
    const Tensor rounded = RoundedTo(context.pool(), dtype_, std::move(result));
    context.SetOutput(0, FromNdhwc(context.pool(), rounded, is_volume && attrs_.channels_first));
  }
  // Output 0 is all zeros: a sum over nothing.
  void SetZeros(KernelContext& context, const Shape& shape) const {
    context.SetOutput(0, AllocateZeros(context.pool(), dtype_, shape));
  }

  const Node node_;
  const VolumeAttrs attrs_;
  const DType dtype_;
};

class Conv3dForwardKernel : public Conv3dKernel {
 public:
  explicit Conv3dForwardKernel(const Node& node) : Conv3dKernel(node, 0) {}

  void Run(KernelContext& context) override {
    const VolumeConvolution size = SizeOf(context.input(0).shape(), context.input(1).shape());
    CheckHasWeights(context.input(1).shape());
    if (size.output().elements() == 0 || size.input().elements() == 0) {
      return SetZeros(context, FromNdhwc(size.output(), attrs_.channels_first));
    }
    const Tensor input = WideVolume(context, 0), filter = AsFloat(context.pool(), context.input(1));
    Tensor output = Allocate(ComputeType(dtype_), size.output());
    VisitComputeType(dtype_, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      Convolve(context.pool(), size, input.data<T>().data(), filter.data<T>().data(), output.mutable_data<T>().data());
    });
    SetWide(context, std::move(output), true);
  }
};

class Conv3dInputGradientKernel : public Conv3dKernel {
 public:
  explicit Conv3dInputGradientKernel(const Node& node) : Conv3dKernel(node, 1) {}

  void Run(KernelContext& context) override {
    const Shape input = GivenSizes("input_sizes", context.input(0));
    const VolumeConvolution size = GradientSizeOf(input, context.input(1).shape(), context.input(2).shape());
    if (input.elements() == 0 || context.input(1).elements() == 0 || context.input(2).elements() == 0) {
      return SetZeros(context, input);
    }
    const Tensor filter = AsFloat(context.pool(), context.input(1)), gradient = WideVolume(context, 2);
    Tensor output = Allocate(ComputeType(dtype_), size.input());
    VisitComputeType(dtype_, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      ConvolveToInput(context.pool(), size, filter.data<T>().data(), gradient.data<T>().data(),
                      output.mutable_data<T>().data());
    });
    SetWide(context, std::move(output), true);
  }
};

class Conv3dFilterGradientKernel : public Conv3dKernel {
 public:
  explicit Conv3dFilterGradientKernel(const Node& node) : Conv3dKernel(node, 0) {}

  void Run(KernelContext& context) override {
    const Shape filter = GivenSizes("filter_sizes", context.input(1));
    const VolumeConvolution size = GradientSizeOf(context.input(0).shape(), filter, context.input(2).shape());
    if (filter.elements() == 0 || context.input(0).elements() == 0 || context.input(2).elements() == 0) {
      return SetZeros(context, filter);
    }
    const Tensor input = WideVolume(context, 0), gradient = WideVolume(context, 2);
    Tensor output = Allocate(ComputeType(dtype_), filter);
    VisitComputeType(dtype_, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      ConvolveToFilter(context.pool(), size, input.data<T>().data(), gradient.data<T>().data(),
                       output.mutable_data<T>().data());
    });
    SetWide(context, std::move(output), false);
  }
};

constexpr KernelRow kRows[] = {
    {"Conv3D", Make<Conv3dForwardKernel>},
    {"Conv3DBackpropInput", Make<Conv3dInputGradientKernel>},
    {"Conv3DBackpropInputV2", Make<Conv3dInputGradientKernel>},
    {"Conv3DBackpropFilter", Make<Conv3dFilterGradientKernel>},
    {"Conv3DBackpropFilterV2", Make<Conv3dFilterGradientKernel>},
};

}  // namespace

std::span<const KernelRow> ConvolutionConv3d() { return kRows; }

}  // namespace plumb::fast::cpu
