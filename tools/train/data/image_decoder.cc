#include "tools/train/data/image_decoder.h"

#include "backends/backends.h"
#include "client/ops.h"

namespace plumb::tools {

Tensor ImageDecoder::Decode(const std::vector<std::string>& contents,
                            const std::function<std::string(size_t i)>& name_of) {
  if (!program_) Build();
  std::vector<FeedValue> feeds;
  for (size_t i = 0; i < contents.size(); ++i) feeds.emplace_back(contents_[i], MakeScalar(contents[i]));
  try {
    return program_->Fetch(images_, feeds);
  } catch (const Error&) {
    for (size_t i = 0; i < feeds.size(); ++i) DecodeAlone(feeds[i], decoded_[i], name_of(i));
    throw;
  }
}

void ImageDecoder::Build() {
  const auto side = static_cast<int32_t>(options_.side), batch = static_cast<int32_t>(options_.batch);
  const Output size = Constant<int32_t>(scope_, {side, side});
  for (int32_t i = 0; i < batch; ++i) {
    contents_.push_back(ops::Placeholder(scope_, DType::kString, {.shape = PartialShape(Shape())}));
    const Output pixels = ops::DecodeImage(scope_, contents_.back(), {.channels = 3, .expand_animations = false});
    const Output image = ops::ExpandDims(scope_, pixels, Constant(scope_, 0));
    decoded_.push_back(ops::ResizeBilinear(scope_, image, size, {.half_pixel_centers = true}));
  }
  const Output all =
      ops::Reshape(scope_, ops::Pack(scope_, decoded_), Constant<int32_t>(scope_, {batch, side, side, 3}));
  images_ = all / 255.0;
  program_.emplace(scope_, OpenSession(options_.backend, {.threads = options_.threads}));
}

void ImageDecoder::DecodeAlone(const FeedValue& file, Output decoded, const std::string& name) {
  try {
    program_->Fetch(decoded, {file});
  } catch (const Error& error) {
    throw Error(error.status().code(), Str(name, " cannot be decoded: ", error.status().message()));
  }
}

}  // namespace plumb::tools
