#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/printed.h"
#include "spec/formats/png_writer.h"

namespace plumb::fast::cpu {
namespace {

class PngKernel : public Kernel {
 public:
  explicit PngKernel(const Node& node) : bytes_(static_cast<int64_t>(ElementSize(InputType(node, 0)))) {
    const auto compression = GetAttr<int64_t>(node.attrs, "compression");
    Require(compression >= -1 && compression <= 9, "compression is from -1 to 9, not ", compression);
    compression_ = static_cast<int>(compression);
  }

  void Run(KernelContext& context) override {
    const Tensor& image = context.input(0);
    Require(image.rank() == 3, "images have the shape [height, width, channels], not ", Printed(image.shape()));
    if (image.elements() == 0) throw Internal("no pixels in an image of ", Printed(image.shape()));
    Require(image.elements() < INT32_MAX, "PNG has no room for an image of shape ", Printed(image.shape()));
    const int64_t height = image.dim(0), width = image.dim(1), channels = image.dim(2);
    Require(channels <= 4, "images have 1 to 4 channels, not ", channels);
    Require(width < INT32_MAX / 2 / channels, "PNG has no room for rows of ", width, " pixels");
    context.AllocateOutput(0, DType::kString, {}).mutable_data<std::string>()[0] =
        PngFile(static_cast<const uint8_t*>(image.raw()), height, width, static_cast<int>(channels),
                static_cast<int>(8 * bytes_), compression_);
  }

 private:
  const int64_t bytes_;  // of a sample
  int compression_ = -1;
};

constexpr KernelRow kRows[] = {
    {"EncodePng", Make<PngKernel>},
};

}  // namespace

std::span<const KernelRow> ImageEncodePng() { return kRows; }

}  // namespace plumb::fast::cpu
