// Batches of encoded images as tensors.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "client/program.h"

namespace plumb::tools {

struct ImageDecoderOptions {
  int64_t batch = 32;
  int64_t side = 224;  // that each image is brought to, whatever its height and width are
  std::string backend = "cpu";
  int threads = 0;  // 0: one per core
};

// A graph that decodes a batch of files, in a session of its own that opens with the first one.
class ImageDecoder {
 public:
  explicit ImageDecoder(ImageDecoderOptions options) : options_(std::move(options)) {}

  // As many files as a batch has: float32 [batch, side, side, 3], each colour from 0 to 1. Throws what is wrong with
  // one, which `name_of` names for people.
  Tensor Decode(const std::vector<std::string>& contents, const std::function<std::string(size_t i)>& name_of);

 private:
  void Build();
  void DecodeAlone(const FeedValue& file, Output decoded, const std::string& name);

  const ImageDecoderOptions options_;
  Scope scope_;
  std::vector<Output> contents_, decoded_;
  Output images_;
  std::optional<Program> program_;
};

}  // namespace plumb::tools
