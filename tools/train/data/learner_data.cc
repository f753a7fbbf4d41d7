#include "tools/train/data/learner_data.h"

#include "tools/train/data/learner_batches.h"

namespace plumb::tools {
namespace {

using models::LearnerData;

std::shared_ptr<Batches> BatchesFor(const models::LearnerEntry& entry, const models::Learner& learner,
                                    const ModelData& data) {
  switch (entry.data) {
    case LearnerData::kNone:
      break;
    case LearnerData::kDigits:
      return DigitsFor(learner, data);
    case LearnerData::kText:
      return TextFor(learner, data);
    case LearnerData::kTranslations:
    case LearnerData::kTranslationsOfTwoVocabularies:
      return TranslationsFor(learner, data, entry.data == LearnerData::kTranslations);
    case LearnerData::kCaptions:
      return CaptionsFor(learner, data);
    case LearnerData::kPlaces:
      return PlacesFor(learner, data);
    case LearnerData::kCensus:
      return CensusFor(learner, data);
  }
  throw InvalidArgument("there is no reader of files for ", entry.name, ": leave --data out, and one batch is made up");
}

}  // namespace

TrainedModel BuildOnFiles(Scope& scope, Optimizer& optimizer, const models::LearnerEntry& entry,
                          models::LearnerSize size, const ModelData& data) {
  const models::Learner learner = entry.build(scope, optimizer, size);
  const std::shared_ptr<Batches> batches = BatchesFor(entry, learner, data);
  TrainedModel trained{learner.loss, learner.train, learner.init, "what lies in " + data.folder + batches->left_out()};
  trained.kind_of_data = "files";
  trained.next = [batches] { return batches->Next(); };
  trained.skip = [batches] { batches->Skip(); };
  trained.save = [batches](const StateWriter& writer) { batches->Save(writer); };
  trained.restore = [batches](const StateReader& reader) { batches->Restore(reader); };
  return trained;
}

}  // namespace plumb::tools
