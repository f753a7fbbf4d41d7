#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/printed.h"
#include "spec/formats/image/jpeg_writer.h"

namespace plumb::fast::cpu {
namespace {

class JpegEncoder : public Kernel {
 public:
  explicit JpegEncoder(const Node&) {}

 protected:
  int Quality(int64_t quality) const {
    Require(quality >= 0 && quality <= 100, "quality is from 0 to 100, not ", quality);
    return static_cast<int>(quality);
  }

  // `channels`: of the format, 0 for either.
  void Encode(KernelContext& context, int64_t channels, const JpegEncoding& how) const {
    const Tensor& image = context.input(0);
    Require(image.rank() == 3, "an image has the shape [height, width, channels], not ", Printed(image.shape()));
    Require(image.elements() < INT32_MAX, "JPEG has no room for an image of shape ", Printed(image.shape()));
    const int64_t given = image.dim(2);
    Require(channels == 0 ? given == 1 || given == 3 : given == channels, "an image of shape ", Printed(image.shape()),
            " has not the number of channels that the format has");
    std::string file = JpegFile(image.data<uint8_t>().data(), image.dim(0), image.dim(1), static_cast<int>(given), how);
    context.AllocateOutput(0, DType::kString, Shape()).mutable_data<std::string>()[0] = std::move(file);
  }
};

class EncodeJpegKernel : public JpegEncoder {
 public:
  explicit EncodeJpegKernel(const Node& node)
      : JpegEncoder(node), xmp_metadata_(GetAttr<std::string>(node.attrs, "xmp_metadata")) {
    const auto& format = GetAttr<std::string>(node.attrs, "format");
    if (!format.empty()) channels_ = format == "grayscale" ? 1 : 3;
    how_.quality = Quality(GetAttr<int64_t>(node.attrs, "quality"));
    how_.progressive = GetAttr<bool>(node.attrs, "progressive");
    how_.optimize_size = GetAttr<bool>(node.attrs, "optimize_size");
    how_.chroma_downsampling = GetAttr<bool>(node.attrs, "chroma_downsampling");
    how_.per_centimetre = GetAttr<std::string>(node.attrs, "density_unit") == "cm";
    how_.x_density = Density(node, "x_density");
    how_.y_density = Density(node, "y_density");
    how_.xmp_metadata = xmp_metadata_;
  }

  void Run(KernelContext& context) override { Encode(context, channels_, how_); }

 private:
  static int64_t Density(const Node& node, const char* name) {
    const auto density = GetAttr<int64_t>(node.attrs, name);
    Require(density >= INT32_MIN && density <= INT32_MAX, name, " is a number of 32 bits, not ", density);
    return density;
  }

  const std::string xmp_metadata_;
  int64_t channels_ = 0;
  JpegEncoding how_;
};

class VariableQualityKernel : public JpegEncoder {
 public:
  using JpegEncoder::JpegEncoder;

  void Run(KernelContext& context) override {
    const Tensor& quality = context.input(1);
    Require(quality.rank() == 0, "quality must be a scalar, not of shape ", Printed(quality.shape()));
    Encode(context, 0, {.quality = Quality(IntAt(quality, 0))});
  }
};

constexpr KernelRow kRows[] = {
    {"EncodeJpeg", Make<EncodeJpegKernel>},
    {"EncodeJpegVariableQuality", Make<VariableQualityKernel>},
};

}  // namespace

std::span<const KernelRow> ImageEncodeJpeg() { return kRows; }

}  // namespace plumb::fast::cpu
