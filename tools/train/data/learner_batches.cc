#include "tools/train/data/learner_batches.h"

#include <utility>

#include "tools/train/data/saved_engine.h"

namespace plumb::tools {

using models::LearnerData;

Batches::Batches(const models::Learner& learner, uint64_t seed) : learner_(learner), random_(seed) {
  for (const models::Learner::Input& input : learner_.inputs) {
    const PartialShape shape = input.place.shape();
    shapes_.emplace_back(std::vector<int64_t>(shape.dims().begin(), shape.dims().end()));
  }
}

void Batches::Save(const StateWriter& writer) const { SaveEngine(writer, random_); }
void Batches::Restore(const StateReader& reader) { RestoreEngine(reader, random_); }

std::vector<Tensor> Batches::NewBatch() const {
  std::vector<Tensor> batch;
  for (size_t i = 0; i < learner_.inputs.size(); ++i) {
    batch.emplace_back(learner_.inputs[i].below > 0 ? DType::kInt32 : DType::kFloat, ShapeOf(i));
  }
  return batch;
}

std::vector<FeedValue> Batches::Feeds(std::vector<Tensor> values) const {
  std::vector<FeedValue> feeds;
  for (size_t i = 0; i < values.size(); ++i) feeds.emplace_back(learner_.inputs[i].place, std::move(values[i]));
  return feeds;
}

void Batches::LeaveOut(int64_t count, std::string_view what) {
  if (count > 0) left_out_ += Str(left_out_.empty() ? " but for " : " and ", count, " of the ", what);
}

std::string_view FilesOf(LearnerData data) {
  switch (data) {
    case LearnerData::kNone:
      return "no files that this model reads";
    case LearnerData::kDigits:
      return "MNIST's four files";
    case LearnerData::kText:
      return "a text, train.txt or ptb.train.txt";
    case LearnerData::kTranslations:
    case LearnerData::kTranslationsOfTwoVocabularies:
      return "train.source and train.target, whose lines are translations of each other";
    case LearnerData::kCaptions:
      return "images, or a folder of images, and their captions, as Flickr8k's: Flickr8k.token.txt or captions.txt";
    case LearnerData::kPlaces:
      return "files such as convex_hull_5-50_train.txt or tsp_10_train.txt, of lines x1 y1 x2 y2 ... output 1 2 ... 1";
    case LearnerData::kCensus:
      return "UCI's census data, adult.data or train.csv";
  }
  return "";
}

}  // namespace plumb::tools
