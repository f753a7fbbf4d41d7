#include <algorithm>

#include "spec/formats/idx.h"
#include "tools/train/data/digit_training.h"
#include "tools/train/data/learner_batches.h"

namespace plumb::tools {
namespace {

using models::Learner;

class DigitsOfLearner final : public Batches {
 public:
  DigitsOfLearner(const Learner& learner, const ModelData& data)
      : Batches(learner, data.seed), digits_(ToDigitSet(ReadMnist(data.folder).train)) {
    const Shape& images = ShapeOf(0);
    Require(images.rank() == 2 && images.dim(1) == digits_.images.dim(1), "the digits in '", data.folder, "' have ",
            digits_.images.dim(1), " pixels, but the model reads the shape ", images.ToString(),
            ": leave --small or --data out");
  }

  std::vector<FeedValue> Next() override {
    std::vector<int64_t> rows(static_cast<size_t>(ShapeOf(0).dim(0)));
    for (int64_t& row : rows) row = Below(digits_.size());
    std::vector<Tensor> batch = NewBatch();
    for (size_t i = 0; i < batch.size(); ++i) {
      if (learner().inputs[i].below > 0) {
        PutLabels(rows, batch[i]);
      } else if (i == 0) {
        PutImages(rows, batch[i]);
      } else {
        for (float& number : batch[i].mutable_data<float>()) number = Part();
      }
    }
    return Feeds(std::move(batch));
  }

 private:
  void PutImages(const std::vector<int64_t>& rows, Tensor& images) const {
    const int64_t pixels = digits_.images.dim(1);
    auto to = images.mutable_data<float>().begin();
    for (const int64_t row : rows) to = std::copy_n(digits_.images.data<float>().begin() + row * pixels, pixels, to);
  }
  void PutLabels(const std::vector<int64_t>& rows, Tensor& labels) const {
    auto to = labels.mutable_data<int32_t>().begin();
    for (const int64_t row : rows) *to++ = digits_.labels.data<int32_t>()[static_cast<size_t>(row)];
  }

  const DigitSet digits_;
};

}  // namespace

std::shared_ptr<Batches> DigitsFor(const Learner& learner, const ModelData& data) {
  return std::make_shared<DigitsOfLearner>(learner, data);
}

}  // namespace plumb::tools
