#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/printed.h"
#include "spec/formats/png_writer.h"

namespace plumb::fast::cpu {
namespace {

class EncodePngKernel : public Kernel {
 public:
  explicit EncodePngKernel(const Node& node)
      : node_(node.name), bytes_(static_cast<int64_t>(ElementSize(InputType(node, 0)))) {
    const auto compression = GetAttr<int64_t>(node.attrs, "compression");
    Require(compression >= -1 && compression <= 9, "node ", node_, ": compression is from -1 to 9, not ", compression);
    compression_ = static_cast<int>(compression);
  }

  void Run(KernelContext& context) override {
    const Tensor& images = context.input(0);
    const int rank = images.rank();
    Require(rank >= 3, "node ", node_, ": images have the shape [..., height, width, channels], not ",
            Printed(images.shape()));
    Require(images.elements() < INT32_MAX, "node ", node_, ": PNG has no room for images of shape ",
            Printed(images.shape()));
    const int64_t height = images.dim(rank - 3), width = images.dim(rank - 2), channels = images.dim(rank - 1);
    Require(channels >= 1 && channels <= 4, "node ", node_, ": images have 1 to 4 channels, not ", channels);
    Require(width < INT32_MAX / 2 / channels, "node ", node_, ": PNG has no room for rows of ", width, " pixels");
    Dims batch(images.shape());
    batch.rank = rank - 3;
    Tensor& files = context.AllocateOutput(0, DType::kString, batch.ToShape());
    if (files.elements() == 0) return;
    std::string* const file = files.mutable_data<std::string>().data();
    const auto* const samples = static_cast<const uint8_t*>(images.raw());
    const int64_t size = height * width * channels * bytes_;
    context.pool().ParallelFor(files.elements(), GrainFor(size * kWorkPerByte), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        file[i] = PngFile(samples + i * size, height, width, static_cast<int>(channels), static_cast<int>(8 * bytes_),
                          compression_);
      }
    });
  }

 private:
  static constexpr int64_t kWorkPerByte = 64;

  const std::string node_;
  const int64_t bytes_;  // of a sample
  int compression_ = -1;
};

constexpr KernelRow kRows[] = {
    {"EncodePng", Make<EncodePngKernel>},
};

}  // namespace

std::span<const KernelRow> ImageEncodePng() { return kRows; }

}  // namespace plumb::fast::cpu
