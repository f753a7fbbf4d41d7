// Batches of images from files.
#pragma once

#include <cstdint>
#include <future>
#include <string>

#include "spec/core/tensor.h"
#include "spec/session/saved_state.h"
#include "tools/train/data/image_decoder.h"
#include "tools/train/data/image_files.h"
#include "tools/train/data/shuffled_rows.h"

namespace plumb::tools {

struct ImageBatchOptions {
  int64_t batch = 32;
  int64_t side = 224;  // that each image is brought to, whatever its height and width are
  uint64_t seed = 1;   // of the order, which is shuffled anew each epoch
  std::string backend = "cpu";
  int threads = 0;  // that decode; 0: one per core
};

// The next batch is read and decoded beside the step that takes the one before.
class ImageBatches {
 public:
  // kInvalidArgument for a batch larger than all images.
  ImageBatches(ImageFiles files, const ImageBatchOptions& options);

  struct Batch {
    Tensor images;  // float32 [batch, side, side, 3], each colour from 0 to 1
    Tensor labels;  // int32 [batch]
  };
  // Throws what is wrong with a file, naming it.
  Batch Next();
  // Passes over a batch.
  void Skip();
  // Where it is, for one of the same files.
  void Save(const StateWriter& writer) const { taken_.Save(writer); }
  void Restore(const StateReader& reader);

 private:
  void Begin();
  Batch Load(const std::vector<int64_t>& rows);

  const ImageFiles files_;
  ImageDecoder decoder_;
  ShuffledRows taken_;         // what the steps have had
  ShuffledRows begun_;         // the same sequence, one batch ahead while one is being read
  std::future<Batch> coming_;  // the last member: it ends before what it reads
};

}  // namespace plumb::tools
