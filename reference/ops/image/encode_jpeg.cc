#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "spec/formats/image/jpeg_writer.h"

namespace plumb::reference {
namespace {

void CheckQuality(int64_t quality) {
  Require(quality >= 0 && quality <= 100, "quality must be from 0 to 100, not ", quality);
}

void CheckJpeg(const Node& node) {
  CheckQuality(GetAttr<int64_t>(node.attrs, "quality"));
  for (const char* name : {"x_density", "y_density"}) {
    const auto density = GetAttr<int64_t>(node.attrs, name);
    Require(density >= INT32_MIN && density <= INT32_MAX, name, " must have 32 bits; ", density, " has more");
  }
}

// `channels`: those that the format has; 0 where either will do.
void Encode(OpContext& c, int64_t channels, const JpegEncoding& how) {
  const Tensor& image = c.tensor(0);
  Require(image.rank() == 3, "an image is of shape [height, width, channels], not ", image.shape().ToString());
  Require(image.elements() < INT32_MAX, "an image of shape ", image.shape().ToString(), " is too large");
  const int64_t given = image.dim(2);
  Require(given == channels || (channels == 0 && (given == 1 || given == 3)), "an image has ",
          channels == 0 ? "1 or 3" : std::to_string(channels), " channels, not shape ", image.shape().ToString());
  const auto* const pixels = image.data<uint8_t>().data();
  c.Output(0, MakeScalar(JpegFile(pixels, image.dim(0), image.dim(1), static_cast<int>(given), how)));
}

void EncodeJpeg(OpContext& c) {
  const auto& format = c.attr<std::string>("format");
  const JpegEncoding how = {.quality = static_cast<int>(c.attr<int64_t>("quality")),
                            .progressive = c.attr<bool>("progressive"),
                            .optimize_size = c.attr<bool>("optimize_size"),
                            .chroma_downsampling = c.attr<bool>("chroma_downsampling"),
                            .per_centimetre = c.attr<std::string>("density_unit") == "cm",
                            .x_density = c.attr<int64_t>("x_density"),
                            .y_density = c.attr<int64_t>("y_density"),
                            .xmp_metadata = c.attr<std::string>("xmp_metadata")};
  Encode(c, format.empty() ? 0 : format == "grayscale" ? 1 : 3, how);
}

void EncodeJpegVariableQuality(OpContext& c) {
  const int64_t quality = ScalarOf(c.tensor(1), "quality");
  CheckQuality(quality);
  Encode(c, 0, {.quality = static_cast<int>(quality)});
}

constexpr KernelRow kRows[] = {
    {"EncodeJpeg", EncodeJpeg, CheckJpeg},
    {"EncodeJpegVariableQuality", EncodeJpegVariableQuality},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ImageEncodeJpeg() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
