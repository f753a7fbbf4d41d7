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
  const Tensor& image = c.tensor(0);
  Require(image.rank() == 3, "an image is of shape [height, width, channels], not ", image.shape().ToString());
  if (image.elements() == 0) throw Internal("an image of shape ", image.shape().ToString(), " has no pixels");
  const int64_t height = image.dim(0), width = image.dim(1), channels = image.dim(2);
  Require(image.elements() < INT32_MAX, "an image of shape ", image.shape().ToString(), " is too large");
  Require(channels <= 4, "a PNG file has 1 to 4 channels, not ", channels);
  Require(width < INT32_MAX / 2 / channels, "rows of ", width, " pixels are too long for a PNG file");
  const int bits = 8 * static_cast<int>(ElementSize(image.dtype()));
  c.Output(0, MakeScalar(PngFile(static_cast<const uint8_t*>(image.raw()), height, width, static_cast<int>(channels),
                                 bits, static_cast<int>(c.attr<int64_t>("compression")))));
}

constexpr KernelRow kRows[] = {
    {"EncodePng", EncodePng, CheckCompression},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ImageEncodePng() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
