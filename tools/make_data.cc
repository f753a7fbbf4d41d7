#include "tools/make_data.h"

#include <algorithm>
#include <filesystem>

#include "spec/formats/idx.h"
#include "tools/digits.h"

namespace plumb::tools {
namespace {

LabelledImages Render(int64_t count, uint64_t seed) {
  const DigitImages digits = RenderDigits(count, seed);
  LabelledImages images{Tensor(DType::kUint8, {count, kDigitSide, kDigitSide}), Tensor(DType::kUint8, {count})};
  std::copy(digits.pixels.begin(), digits.pixels.end(), images.images.mutable_data<uint8_t>().begin());
  std::copy(digits.labels.begin(), digits.labels.end(), images.labels.mutable_data<uint8_t>().begin());
  return images;
}

}  // namespace

void MakeDigits(const MakeDigitsOptions& options) {
  constexpr int64_t kMost = 1000000;
  Require(options.train >= 1 && options.train <= kMost && options.test >= 1 && options.test <= kMost, "between 1 and ",
          kMost, " images can be rendered, not ", options.train, " and ", options.test);
  std::filesystem::create_directories(options.folder);
  // Different seeds, so that no test image was trained on.
  WriteMnist(options.folder, {Render(options.train, 2 * options.seed), Render(options.test, 2 * options.seed + 1)});
}

}  // namespace plumb::tools
