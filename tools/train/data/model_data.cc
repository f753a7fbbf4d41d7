#include "tools/train/data/model_data.h"

#include <cstdio>
#include <random>

#include "client/training/queue_runner.h"
#include "models/image/cifar10.h"
#include "spec/files/file_system.h"
#include "spec/formats/idx.h"
#include "tools/train/data/digit_training.h"
#include "tools/train/data/image_batches.h"
#include "tools/train/data/saved_engine.h"

namespace plumb::tools {
namespace {

using models::ImageClassifier;

TrainedModel Of(const ImageClassifier& model, const std::string& source) {
  TrainedModel trained{model.loss, model.train, model.init, source};
  trained.input = model.images;
  trained.logits = model.logits;
  return trained;
}

// The models of digits read rows of pixels.
bool ReadsDigits(const models::ImageOptions& paper) { return paper.side == 28 && paper.channels == 1; }

std::string TestOnDigits(Session& session, const ImageClassifier& model, const DigitSet& all, int64_t most) {
  const DigitSet digits = all.First(most);
  if (digits.size() == 0) return "";
  const double accuracy = DigitAccuracy(session, model, digits);
  const char* const which = digits.size() < all.size() ? "the first of the test set" : "the test set";
  char percent[16];
  std::snprintf(percent, sizeof percent, "%.2f", 100 * accuracy);
  return Str("Test accuracy: ", percent, " % of ", digits.size(), " images, ", which, "\n");
}

TrainedModel OnDigits(const ImageClassifier& model, const ModelData& data) {
  TrainedModel trained = Of(model, "the digits in " + data.folder);
  const Mnist files = ReadMnist(data.folder);
  trained.kind_of_data = "files";
  trained.test = [model, held_out = ToDigitSet(files.test)](Session& session, int64_t most) {
    return TestOnDigits(session, model, held_out, most);
  };
  const auto digits = std::make_shared<DigitSet>(ToDigitSet(files.train));
  const auto batches = std::make_shared<DigitBatches>(*digits, data.batch, data.seed);
  trained.next = [model, digits, batches] {
    const std::vector<Feed> feeds = batches->Next(model);
    return std::vector<FeedValue>{{model.images, feeds[0].second}, {model.labels, feeds[1].second}};
  };
  trained.save = [batches](const StateWriter& writer) { batches->Save(writer); };
  trained.restore = [batches](const StateReader& reader) { batches->Restore(reader); };
  return trained;
}

std::vector<std::string> Cifar10Files(const std::string& folder) {
  std::vector<std::string> files;
  for (int i = 1; i <= 5; ++i) {
    const std::string file = folder + "/data_batch_" + std::to_string(i) + ".bin";
    if (Files().Exists(file)) files.push_back(file);
  }
  if (files.empty()) {
    throw NotFound("there is no data_batch_1.bin in '", folder,
                   "': --data wants the folder of CIFAR-10's binary version");
  }
  return files;
}

TrainedModel OnCifar10(Scope& scope, Optimizer& optimizer, const models::ImageOptions& options, const ModelData& data) {
  models::Cifar10InputOptions input;
  input.files = Cifar10Files(data.folder);
  input.batch = data.batch;
  input.seed = static_cast<int64_t>(data.seed);
  input.min_after_dequeue = 2000;
  const models::Cifar10Batch batch = models::Cifar10Input(scope, input);
  const ImageClassifier model = models::BuildCifar10On(scope, optimizer, batch, options);
  TrainedModel trained = Of(model, "the images in " + data.folder);
  const NodeId local = InitializeLocal(scope);
  trained.start = [&scope, local](Program& program, Coordinator& coordinator) {
    program.Run(local);
    StartQueueRunners(scope.queue_runners(), program.session(), coordinator);
  };
  trained.next = [] { return std::vector<FeedValue>(); };
  return trained;
}

TrainedModel OnImages(const ImageClassifier& model, const ModelData& data) {
  ImageFiles files(data.folder, model.logits.shape().dims()[1]);
  TrainedModel trained = Of(model, Str("the ", files.size(), " images in ", data.folder));
  trained.kind_of_data = "files";
  const ImageBatchOptions options = {.batch = data.batch,
                                     .side = model.images.shape().dims()[1],
                                     .seed = data.seed,
                                     .backend = data.backend,
                                     .threads = data.threads};
  const auto batches = std::make_shared<ImageBatches>(std::move(files), options);
  trained.next = [model, batches] {
    ImageBatches::Batch batch = batches->Next();
    return std::vector<FeedValue>{{model.images, std::move(batch.images)}, {model.labels, std::move(batch.labels)}};
  };
  trained.skip = [batches] { batches->Skip(); };
  trained.save = [batches](const StateWriter& writer) { batches->Save(writer); };
  trained.restore = [batches](const StateReader& reader) { batches->Restore(reader); };
  return trained;
}

// Images of each class are that class's own pattern, half hidden in noise.
class MadeUpImages {
 public:
  MadeUpImages(const ImageClassifier& model, const ModelData& data)
      : model_(model), batch_(data.batch), random_(data.seed) {
    std::vector<int64_t> sizes(model.images.shape().dims().begin(), model.images.shape().dims().end());
    sizes[0] = batch_;
    shape_ = Shape(sizes);
    classes_ = model.logits.shape().dims()[1];
  }

  std::vector<FeedValue> Next() {
    Tensor images(DType::kFloat, shape_), labels(DType::kInt32, Shape({batch_}));
    const int64_t pixels = shape_.elements() / batch_;
    for (int64_t i = 0; i < batch_; ++i) {
      const auto label = static_cast<int32_t>(random_() % static_cast<uint64_t>(classes_));
      labels.mutable_data<int32_t>()[i] = label;
      std::minstd_rand pattern(static_cast<uint32_t>(label) + 1);
      const auto image = images.mutable_data<float>().subspan(i * pixels, pixels);
      for (float& pixel : image) pixel = 0.5f * Unit(pattern()) + 0.5f * Unit(static_cast<uint32_t>(random_()));
    }
    return {{model_.images, std::move(images)}, {model_.labels, std::move(labels)}};
  }

  void Save(const StateWriter& writer) const { SaveEngine(writer, random_); }
  void Restore(const StateReader& reader) { RestoreEngine(reader, random_); }

 private:
  static float Unit(uint32_t word) { return static_cast<float>(word % 4096) / 4096.0f; }

  const ImageClassifier model_;
  const int64_t batch_;
  int64_t classes_ = 0;
  Shape shape_;
  std::mt19937_64 random_;
};

}  // namespace

TrainedModel BuildOnData(Scope& scope, Optimizer& optimizer, const models::ImageModelEntry& entry,
                         const models::ImageOptions& options, const ModelData& data) {
  const bool is_cifar = entry.name == "cifar10";
  if (!data.folder.empty() && is_cifar) return OnCifar10(scope, optimizer, options, data);
  const ImageClassifier model = entry.build(scope, optimizer, options);
  if (data.folder.empty()) {
    const auto images = std::make_shared<MadeUpImages>(model, data);
    TrainedModel trained = Of(model, "made-up images");
    trained.next = [images] { return images->Next(); };
    trained.save = [images](const StateWriter& writer) { images->Save(writer); };
    trained.restore = [images](const StateReader& reader) { images->Restore(reader); };
    return trained;
  }
  return ReadsDigits(entry.paper) ? OnDigits(model, data) : OnImages(model, data);
}

TrainedModel BuildOnMadeUpBatch(Scope& scope, Optimizer& optimizer, const models::LearnerEntry& entry,
                                models::LearnerSize size, uint64_t seed) {
  const models::Learner learner = entry.build(scope, optimizer, size);
  TrainedModel trained{learner.loss, learner.train, learner.init, "a made-up batch"};
  trained.next = [learner, seed] {
    const std::vector<Feed> batch = models::SyntheticBatch(learner, static_cast<uint32_t>(seed));
    std::vector<FeedValue> feeds;
    for (size_t i = 0; i < learner.inputs.size(); ++i) feeds.emplace_back(learner.inputs[i].place, batch[i].second);
    return feeds;
  };
  return trained;
}

}  // namespace plumb::tools
