#include "tools/train/data/image_batches.h"

#include <optional>
#include <utility>
#include <vector>

#include "backends/backends.h"
#include "client/ops.h"
#include "client/program.h"

namespace plumb::tools {

// A graph that decodes a batch of files, in a session of its own that opens with the first one.
class ImageBatches::Decoder {
 public:
  explicit Decoder(const ImageBatchOptions& options) : options_(options) {}

  // `files` names each one for people.
  template <class Names>
  Tensor Decode(const std::vector<std::string>& contents, const Names& names) {
    if (!program_) Build();
    std::vector<FeedValue> feeds;
    for (size_t i = 0; i < contents.size(); ++i) feeds.emplace_back(contents_[i], MakeScalar(contents[i]));
    try {
      return program_->Fetch(images_, feeds);
    } catch (const Error&) {
      for (size_t i = 0; i < feeds.size(); ++i) DecodeAlone(feeds[i], decoded_[i], names(i));
      throw;
    }
  }

 private:
  void Build() {
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

  void DecodeAlone(const FeedValue& file, Output decoded, const std::string& name) {
    try {
      program_->Fetch(decoded, {file});
    } catch (const Error& error) {
      throw Error(error.status().code(), Str(name, " cannot be decoded: ", error.status().message()));
    }
  }

  const ImageBatchOptions options_;
  Scope scope_;
  std::vector<Output> contents_, decoded_;
  Output images_;
  std::optional<Program> program_;
};

ImageBatches::ImageBatches(ImageFiles files, const ImageBatchOptions& options)
    : files_(std::move(files)),
      decoder_(std::make_unique<Decoder>(options)),
      taken_(files_.size(), options.batch, options.seed),
      begun_(taken_) {}

ImageBatches::~ImageBatches() = default;

void ImageBatches::Begin() {
  const auto rows = begun_.Next();
  coming_ = std::async(std::launch::async,
                       [this, rows = std::vector<int64_t>(rows.begin(), rows.end())] { return Load(rows); });
}

ImageBatches::Batch ImageBatches::Load(const std::vector<int64_t>& rows) {
  std::vector<std::string> contents;
  Tensor labels(DType::kInt32, Shape({std::ssize(rows)}));
  auto label = labels.mutable_data<int32_t>().begin();
  for (const int64_t row : rows) {
    EncodedImage image = files_.Read(row);
    contents.push_back(std::move(image.contents));
    *label++ = image.label;
  }
  return {decoder_->Decode(contents, [&](size_t i) { return files_.NameOf(rows[i]); }), std::move(labels)};
}

ImageBatches::Batch ImageBatches::Next() {
  if (!coming_.valid()) Begin();
  taken_.Next();
  Batch batch = coming_.get();
  Begin();
  return batch;
}

void ImageBatches::Skip() {
  taken_.Next();
  if (coming_.valid()) {
    coming_ = {};
  } else {
    begun_.Next();
  }
}

void ImageBatches::Restore(const StateReader& reader) {
  coming_ = {};
  taken_.Restore(reader);
  begun_ = taken_;
}

}  // namespace plumb::tools
