#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "spec/formats/png_writer.h"

namespace plumb::reference {
namespace {

void CheckCompression(const Node& node) {
  const auto compression = GetAttr<int64_t>(node.attrs, "compression");
  Require(compression >= -1 && compression <= 9, "compression must be from -1 to 9, not ", compression);
}

void EncodePng(OpContext& c) {
  const Tensor& images = c.tensor(0);
  const int rank = images.rank();
  Require(rank >= 3, "images are of shape [..., height, width, channels], not ", images.shape().ToString());
  const int64_t height = images.dim(rank - 3), width = images.dim(rank - 2), channels = images.dim(rank - 1);
  Require(images.elements() < INT32_MAX, "images of shape ", images.shape().ToString(), " are too large");
  Require(channels >= 1 && channels <= 4, "a PNG file has 1 to 4 channels, not ", channels);
  Require(width < INT32_MAX / 2 / channels, "rows of ", width, " pixels are too long for a PNG file");
  Tensor files(DType::kString, Subshape(images.shape(), 0, rank - 3));
  const auto* const samples = static_cast<const uint8_t*>(images.raw());
  const auto bytes = static_cast<int64_t>(ElementSize(images.dtype()));
  for (int64_t i = 0; i < files.elements(); ++i) {
    files.mutable_data<std::string>()[i] =
        PngFile(samples + i * height * width * channels * bytes, height, width, static_cast<int>(channels),
                static_cast<int>(8 * bytes), static_cast<int>(c.attr<int64_t>("compression")));
  }
  c.Output(0, std::move(files));
}

constexpr KernelRow kRows[] = {
    {"EncodePng", EncodePng, CheckCompression},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ImageEncodePng() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
