#include "tools/train/data/image_batches.h"

#include <utility>
#include <vector>

namespace plumb::tools {

ImageBatches::ImageBatches(ImageFiles files, const ImageBatchOptions& options)
    : files_(std::move(files)),
      decoder_({.batch = options.batch, .side = options.side, .backend = options.backend, .threads = options.threads}),
      taken_(files_.size(), options.batch, options.seed),
      begun_(taken_) {}

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
  return {decoder_.Decode(contents, [&](size_t i) { return files_.NameOf(rows[i]); }), std::move(labels)};
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
