// Models that are trained on an emulated GPU whose steps are captured: every number is the one that kernels give which
// are launched one by one.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "backends/backends.h"
#include "client/optimizers/optimizer.h"
#include "models/image/digits.h"

namespace plumb::models {
namespace {

struct Trial {
  const char* name;
  ImageClassifier (*build)(Scope& scope, Optimizer& optimizer);
  std::unique_ptr<Optimizer> (*optimizer)();
};

ImageClassifier SmallMlp(Scope& scope, Optimizer& optimizer) { return BuildMlp(scope, {24, 16}, optimizer, kDigits); }
ImageClassifier SmallLeNet(Scope& scope, Optimizer& optimizer) {
  ImageOptions options = kDigits;
  options.width = 0.0625;
  return BuildLeNet(scope, optimizer, options);
}

const Trial kTrials[] = {
    {"Mlp", SmallMlp, [] { return Sgd({.learning_rate = 0.1}); }},
    {"MlpByMomentum", SmallMlp, [] { return Momentum({.learning_rate = 0.05, .momentum = 0.9}); }},
    {"MlpByAdam", SmallMlp, [] { return Adam({.learning_rate = 0.01}); }},
    {"LeNet", SmallLeNet, [] { return Sgd({.learning_rate = 0.05}); }},
};

std::vector<Feed> Batch(const ImageClassifier& model, uint32_t state) {
  constexpr int64_t kImages = 3;
  Tensor images(DType::kFloat, Shape({kImages, 784})), labels(DType::kInt32, Shape({kImages}));
  for (float& pixel : images.mutable_data<float>()) {
    state = state * 1664525u + 1013904223u;
    pixel = static_cast<float>(state >> 16) / 65536.0f;
  }
  for (int32_t& label : labels.mutable_data<int32_t>()) label = static_cast<int32_t>((state += 7919) % 10);
  return {{model.images.name(), images}, {model.labels.name(), labels}};
}

int SectionsLaunchedAsOne(const RunMetadata& metadata) {
  int sections = 0;
  for (const DeviceStats& device : metadata.step_stats) {
    if (device.device != "/device:GPU:0/sections") continue;
    for (const NodeStats& section : device.nodes) sections += section.op.find("launched as one") != std::string::npos;
  }
  return sections;
}

class GpuGraphs : public testing::TestWithParam<Trial> {};

TEST_P(GpuGraphs, TrainToTheSameBits) {
  Scope scope;
  const auto optimizer = GetParam().optimizer();
  const ImageClassifier model = GetParam().build(scope, *optimizer);
  const auto with = OpenSession("gpu-emulated", {.threads = 1, .gpu_graphs = true, .allow_soft_placement = true});
  const auto without = OpenSession("gpu-emulated", {.threads = 1, .allow_soft_placement = true});
  int launched_as_one = 0;
  for (Session* const session : {with.get(), without.get()}) {
    ASSERT_TRUE(session->Extend(scope.ToGraphDef()).ok());
    std::vector<Tensor> none;
    const std::vector<std::string> init = {scope.NameOf(model.init)};
    const Status status = session->Run({}, {}, init, &none);
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
  const std::vector<std::string> fetches = {model.loss.name(), model.logits.name()};
  const std::vector<std::string> train = {scope.NameOf(model.train)};
  for (uint32_t step = 0; step < 7; ++step) {
    const std::vector<Feed> batch = Batch(model, step % 3);
    std::vector<Tensor> got, wanted;
    RunMetadata metadata;
    const Status status = with->Run({.trace = true}, batch, fetches, train, &got, &metadata);
    ASSERT_TRUE(status.ok()) << status.ToString();
    ASSERT_TRUE(without->Run(batch, fetches, train, &wanted).ok());
    for (size_t i = 0; i < fetches.size(); ++i) {
      EXPECT_TRUE(got[i].BitwiseEquals(wanted[i]))
          << "step " << step << ", " << fetches[i] << ": " << got[i].ToString() << ", not " << wanted[i].ToString();
    }
    launched_as_one += SectionsLaunchedAsOne(metadata);
  }
  EXPECT_GE(launched_as_one, 5);
}

INSTANTIATE_TEST_SUITE_P(, GpuGraphs, testing::ValuesIn(kTrials),
                         [](const auto& trial) { return std::string(trial.param.name); });

}  // namespace
}  // namespace plumb::models
