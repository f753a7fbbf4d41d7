// Files of CIFAR-10's form, read to their end.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "client/program.h"
#include "client/testing.h"
#include "client/training/queue_runner.h"
#include "client/variable.h"
#include "models/image/cifar10.h"
#include "spec/files/file.h"

namespace plumb::models {
namespace {

constexpr int64_t kSide = 32;

// Whether a pixel is bright: red on the right, green on the left, blue in the upper half.
bool IsBright(int64_t row, int64_t column, int64_t channel) {
  if (channel == 2) return row < kSide / 2;
  return (column >= kSide / 2) == (channel == 0);
}

// The pattern's bytes, of which every half are 100 and 200: standardised they are exactly −1 and 1.
std::string Record(uint8_t label) {
  std::string record(1, static_cast<char>(label));
  for (int64_t channel = 0; channel < 3; ++channel) {
    for (int64_t pixel = 0; pixel < kSide * kSide; ++pixel) {
      record.push_back(static_cast<char>(IsBright(pixel / kSide, pixel % kSide, channel) ? 200 : 100));
    }
  }
  return record;
}

class Cifar10Files : public OnEachBackend {
 protected:
  // A file of records with these labels.
  std::string File(const std::string& name, const std::vector<uint8_t>& labels) {
    const std::string path = ::testing::TempDir() + "plumb_cifar10_" + std::string(GetParam()) + "_" + name;
    std::string content;
    for (const uint8_t label : labels) content += Record(label);
    WriteFile(path, content);
    return path;
  }
  // Images and labels of each batch.
  std::vector<std::vector<Tensor>> ReadAll(const Cifar10Batch& batch) {
    const NodeId init = InitializeLocal(scope_);
    Program program(scope_, OpenSession(GetParam()));
    program.Run(init);
    Coordinator coordinator;
    StartQueueRunners(scope_.queue_runners(), program.session(), coordinator);
    std::vector<std::vector<Tensor>> batches;
    for (bool goes_on = true; goes_on;) {
      try {
        batches.push_back(program.Fetch(std::vector<Output>{batch.images, batch.labels}));
      } catch (const Error& error) {
        EXPECT_EQ(error.status().code(), Code::kOutOfRange) << error.status().ToString();
        goes_on = false;
      }
    }
    coordinator.RequestStop();
    const Status ended = coordinator.Join();
    EXPECT_TRUE(ended.ok()) << ended.ToString();
    return batches;
  }
};

TEST_P(Cifar10Files, AreReadInOrder) {
  const std::vector<std::string> files = {File("a", {3, 1}), File("b", {4})};
  const Cifar10Batch batch =
      Cifar10Input(scope_, {.files = files, .batch = 2, .side = 24, .distort = false, .once = true});
  EXPECT_EQ(batch.images.shape().ToString(), "[?,24,24,3]");
  const auto batches = ReadAll(batch);
  ASSERT_EQ(batches.size(), 2U);
  EXPECT_THAT(Numbers(batches[0][1]), ::testing::ElementsAre(3, 1));
  EXPECT_THAT(Numbers(batches[1][1]), ::testing::ElementsAre(4));
  EXPECT_EQ(batches[1][0].shape().ToString(), "[1,24,24,3]");
}

// The middle of the pattern is as evenly bright and dark as all of it.
TEST_P(Cifar10Files, HoldPlanesOfColour) {
  const Cifar10Batch batch =
      Cifar10Input(scope_, {.files = {File("planes", {7})}, .batch = 1, .side = 24, .distort = false, .once = true});
  const auto batches = ReadAll(batch);
  ASSERT_EQ(batches.size(), 1U);
  const std::vector<double> pixels = Numbers(batches[0][0]);
  for (int64_t i = 0; i < batches[0][0].elements(); ++i) {
    const int64_t row = i / (24 * 3) + 4, column = i / 3 % 24 + 4;
    ASSERT_EQ(pixels[i], IsBright(row, column, i % 3) ? 1 : -1) << row << ", " << column << ", " << i % 3;
  }
}

// Brightness and contrast are gone once an image is standardised: what is left of it is which side is which.
TEST_P(Cifar10Files, AreDistortedAndShuffled) {
  std::vector<uint8_t> labels(16);
  std::iota(labels.begin(), labels.end(), uint8_t{0});
  const Cifar10Batch batch = Cifar10Input(
      scope_, {.files = {File("many", labels)}, .batch = 4, .side = kSide, .min_after_dequeue = 8, .once = true});
  std::vector<double> order;
  int flipped = 0;
  for (const auto& step : ReadAll(batch)) {
    for (const double label : Numbers(step[1])) order.push_back(label);
    const std::vector<double> pixels = Numbers(step[0]);
    for (int64_t image = 0; image < step[1].elements(); ++image) {
      const double* const of = pixels.data() + image * kSide * kSide * 3;
      const bool is_flipped = of[0] > 0;  // red, on the left
      flipped += is_flipped ? 1 : 0;
      for (int64_t i = 0; i < kSide * kSide * 3; ++i) {
        const bool bright = IsBright(i / (kSide * 3), i / 3 % kSide, i % 3);
        ASSERT_EQ(of[i] > 0, is_flipped && i % 3 < 2 ? !bright : bright) << i;
      }
    }
  }
  EXPECT_FALSE(std::is_sorted(order.begin(), order.end()));
  EXPECT_GT(flipped, 0);
  EXPECT_LT(flipped, 16);
  std::sort(order.begin(), order.end());
  ASSERT_EQ(order.size(), 16U);
  for (int i = 0; i < 16; ++i) EXPECT_EQ(order[i], i);
}

// Contrast changes how far pixels are from the mean of their colour, and leaves how far colours are from each other: of
// an image whose colours are 40 apart, and bright and dark by 40, it is left when the image is standardised.
TEST_P(Cifar10Files, DifferInContrast) {
  constexpr int64_t kImages = 12, kPixels = kSide * kSide;
  std::string content;
  for (int64_t image = 0; image < kImages; ++image) {
    content.push_back('\0');
    for (const int mean : {80, 120, 160}) {
      for (int64_t pixel = 0; pixel < kPixels; ++pixel) {
        content.push_back(static_cast<char>(mean + (pixel / kSide < kSide / 2 ? 20 : -20)));
      }
    }
  }
  const std::string path = ::testing::TempDir() + "plumb_cifar10_" + std::string(GetParam()) + "_contrast";
  WriteFile(path, content);
  const Cifar10Batch batch =
      Cifar10Input(scope_, {.files = {path}, .batch = kImages, .side = kSide, .min_after_dequeue = 1, .once = true});
  const auto batches = ReadAll(batch);
  ASSERT_EQ(batches.size(), 1U);
  const std::vector<double> pixels = Numbers(batches[0][0]);
  std::vector<double> contrasts;
  for (int64_t image = 0; image < kImages; ++image) {
    const double* const first = pixels.data() + image * kPixels * 3;
    const double* const last = first + (kPixels - 1) * 3;
    const double in_colour = first[0] - last[0];
    const double of_colours = (first[2] + last[2] - first[0] - last[0]) / 2 / 2;
    contrasts.push_back(in_colour / of_colours);
  }
  const auto [least, most] = std::minmax_element(contrasts.begin(), contrasts.end());
  EXPECT_GT(*least, 0);
  EXPECT_GT(*most, 2 * *least) << "drawn between 0.2 and 1.8";
  EXPECT_LT(*most, 2);
}

// Parts of the same images begin at different places.
TEST_P(Cifar10Files, AreCroppedAtRandom) {
  const Cifar10Batch batch = Cifar10Input(scope_, {.files = {File("crops", std::vector<uint8_t>(12, 0))},
                                                   .batch = 12,
                                                   .side = 20,
                                                   .min_after_dequeue = 1,
                                                   .once = true});
  const auto batches = ReadAll(batch);
  ASSERT_EQ(batches.size(), 1U);
  const std::vector<double> pixels = Numbers(batches[0][0]);
  std::set<int64_t> upper_rows;  // of blue: how many rows of the upper half are seen
  for (int64_t image = 0; image < 12; ++image) {
    int64_t rows = 0;
    for (int64_t row = 0; row < 20; ++row) rows += pixels[(image * 20 + row) * 20 * 3 + 2] > 0 ? 1 : 0;
    EXPECT_GE(rows, 4);
    EXPECT_LE(rows, 16);
    upper_rows.insert(rows);
  }
  EXPECT_GT(upper_rows.size(), 1U);
}

// A step of the network takes its batch from the pipeline's queues.
TEST_P(Cifar10Files, AreTrainedOn) {
  const std::vector<std::string> files = {File("train", {0, 1, 2, 3, 4, 5, 6, 7})};
  const auto optimizer = Sgd({.learning_rate = 0.01});
  const Cifar10Batch batch = Cifar10Input(scope_, {.files = files, .batch = 2, .min_after_dequeue = 4});
  const ImageClassifier model = BuildCifar10On(scope_, *optimizer, batch, {.width = 0.0625, .batch = 2});
  Program program(scope_, OpenSession(GetParam()));
  program.Run(model.init);
  Coordinator coordinator;
  StartQueueRunners(scope_.queue_runners(), program.session(), coordinator);
  program.Run(model.train);
  const double loss = Numbers(program.Fetch(model.loss))[0];
  EXPECT_TRUE(std::isfinite(loss) && loss > 0) << loss;
  coordinator.RequestStop();
  const Status ended = coordinator.Join();
  EXPECT_TRUE(ended.ok()) << ended.ToString();
}

TEST_P(Cifar10Files, OfNoUse) {
  EXPECT_TRUE(Refuses([&] { Cifar10Input(scope_, {.files = {}}); }, Code::kInvalidArgument, ""));
  EXPECT_TRUE(Refuses([&] { Cifar10Input(scope_, {.files = {"a"}, .side = 33}); }, Code::kInvalidArgument, "33"));
}

PLUMB_ON_EACH_BACKEND(Cifar10Files);

}  // namespace
}  // namespace plumb::models
