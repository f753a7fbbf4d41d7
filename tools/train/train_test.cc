// Training of the models of the catalogues: sizes, resuming, and what is refused.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdio>
#include <map>

#include "backends/backends.h"
#include "client/training/checkpoint_files.h"
#include "spec/checkpoint/checkpoint_state.h"
#include "spec/core/status_testing.h"
#include "spec/files/temporary_folder.h"
#include "spec/formats/idx.h"
#include "spec/formats/png_writer.h"
#include "spec/graph/graph_file.h"
#include "tools/check.h"
#include "tools/checkpoint_diff.h"
#include "tools/restore.h"
#include "tools/train/data/digit_training.h"
#include "tools/train/data/make_data.h"
#include "tools/train/train_models.h"

namespace plumb::tools {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// Options by their names, as a command line would give them.
class Given : public Options {
 public:
  explicit Given(std::map<std::string, std::string> values) : values_(std::move(values)) {}
  void Flag(const std::string& names, bool* value, const std::string&) override { *value = values_.contains(names); }
  void Option(const std::string& names, std::string* value, const std::string&) override {
    if (const auto found = values_.find(names); found != values_.end()) *value = found->second;
  }
  void Option(const std::string& names, int* value, const std::string&) override {
    if (const auto found = values_.find(names); found != values_.end()) *value = std::stoi(found->second);
  }
  void Option(const std::string& names, double* value, const std::string&) override {
    if (const auto found = values_.find(names); found != values_.end()) *value = std::stod(found->second);
  }
  void Option(const std::string&, std::vector<std::string>*, const std::string&) override {}
  void Argument(const std::string&, std::string*, const std::string&) override {}
  void OptionalArgument(const std::string&, std::string*, const std::string&) override {}

 private:
  const std::map<std::string, std::string> values_;
};

// What `plumb train MODEL …` prints; throws as it does. Options that are not given keep what an earlier call gave.
std::string Train(std::string_view model, const std::map<std::string, std::string>& given) {
  for (Command* command : ModelTrainingCommands()) {
    if (command->name() != model) continue;
    Given options(given);
    command->Declare(options);
    testing::internal::CaptureStdout();
    try {
      EXPECT_EQ(command->Run(), 0);
    } catch (const Error&) {
      testing::internal::GetCapturedStdout();
      throw;
    }
    return testing::internal::GetCapturedStdout();
  }
  ADD_FAILURE() << "no command of the name " << model;
  return "";
}

TEST(TrainModels, PrintsHowManyParametersAModelHas) {
  EXPECT_EQ(Train("resnet-50", {{"--parameters", ""}}), "25557032\n");
  EXPECT_EQ(Train("alexnet", {{"--parameters", ""}}), "60965224\n");
}

TEST(TrainModels, GoesOnWhereACheckpointEnds) {
  const TemporaryFolder folder;
  MakeDigits({.folder = folder.path() + "/digits", .train = 64, .test = 10});
  const auto train = [&](const std::string& out, const std::string& steps) {
    return Train("softmax", {{"--data", folder.path() + "/digits"},
                             {"--batch", "8"},
                             {"--threads", "1"},
                             {"--steps", steps},
                             {"--checkpoint", folder.path() + "/" + out}});
  };
  EXPECT_THAT(train("whole", "9"), HasSubstr("from step 0"));
  train("parts", "4");
  EXPECT_THAT(train("parts", "9"), HasSubstr("going on from step 4"));
  EXPECT_THAT(DiffCheckpoints(folder.path() + "/whole/model.ckpt-9", folder.path() + "/parts/model.ckpt-9").lines,
              IsEmpty());
}

class StateFiles : public testing::Test {
 protected:
  std::string Train(int steps) {
    return tools::Train("softmax", {{"--data", ""},
                                    {"--batch", "8"},
                                    {"--threads", "1"},
                                    {"--steps", Str(steps)},
                                    {"--save-every", "2"},
                                    {"--checkpoint", folder_.path()}});
  }
  void WriteState(const std::string& text) { Files().Write(Path("checkpoint"), text); }
  std::string Path(const std::string& name) const { return folder_.path() + "/" + name; }

  TemporaryFolder folder_;
};

TEST_F(StateFiles, MayNameTheLatestCheckpointAlone) {
  Train(4);
  WriteState("model_checkpoint_path: \"model.ckpt-4\"\n");
  EXPECT_THAT(Train(4), HasSubstr("Checkpoint: " + Path("model.ckpt-4")));
  EXPECT_THAT(Train(6), HasSubstr("going on from step 4"));
  EXPECT_THAT(ReadCheckpointState(Files(), folder_.path())->all,
              ElementsAre(Path("model.ckpt-4"), Path("model.ckpt-6")));
}

// Whoever goes back to an older checkpoint gets the later ones anew.
TEST_F(StateFiles, MayNameAnOlderCheckpoint) {
  Train(6);
  const std::string last = Path("model.ckpt-6");
  RemoveCheckpoint(Files(), last);
  Files().Write(last + ".index", "of another run");
  WriteState(
      "model_checkpoint_path: \"model.ckpt-2\"\nall_model_checkpoint_paths: \"model.ckpt-2\"\n"
      "all_model_checkpoint_paths: \"model.ckpt-4\"\nall_model_checkpoint_paths: \"model.ckpt-6\"\n");
  EXPECT_THAT(Train(6), AllOf(HasSubstr("going on from step 2"), HasSubstr("Checkpoint: " + last)));
  EXPECT_NE(Files().Read(last + ".index"), "of another run");
  EXPECT_EQ(LatestCheckpoint(Files(), folder_.path()), last);
}

TEST_F(StateFiles, ThatLeadNowhereAreLeftAsTheyAre) {
  Train(2);
  for (const char* const text : {"model_checkpoint_path = x", "", "model_checkpoint_path: \"model.ckpt-9\"\n"}) {
    WriteState(text);
    const Status status = StatusOf([&] { Train(4); });
    EXPECT_EQ(status.code(), Code::kFailedPrecondition) << text;
    EXPECT_THAT(status.message(), AllOf(HasSubstr("'" + Path("checkpoint") + "'"), HasSubstr("remove that file")));
    EXPECT_EQ(Files().Read(Path("checkpoint")), text);
    EXPECT_FALSE(CheckpointExists(Files(), Path("model.ckpt-4"))) << text;
  }
  Files().Remove(Path("checkpoint"));
  EXPECT_THAT(Train(2), HasSubstr("from step 0"));
}

TEST(TrainModels, SayThatTheCheckpointIsBeyondTheSteps) {
  const TemporaryFolder folder;
  const auto train = [&](const std::string& steps) {
    return Train("softmax", {{"--data", ""},
                             {"--batch", "8"},
                             {"--threads", "1"},
                             {"--steps", steps},
                             {"--save-every", "100"},
                             {"--checkpoint", folder.path()}});
  };
  EXPECT_THAT(train("4"), AllOf(HasSubstr("step 4/4"), Not(HasSubstr("No step to take"))));
  for (const char* const steps : {"4", "2"}) {
    EXPECT_THAT(train(steps), AllOf(HasSubstr(Str("the checkpoint is at step 4, and --steps ", steps)),
                                    Not(HasSubstr("loss")), HasSubstr("model.ckpt-4\n")));
  }
}

// What is left of a training is enough to ask the model: the last line of its output says how.
TEST(TrainModels, CanBeRunFromWhatTheyLeave) {
  const TemporaryFolder folder;
  MakeDigits({.folder = folder.path() + "/digits", .train = 64, .test = 10});
  const std::string out = folder.path() + "/model", prefix = out + "/model.ckpt-3";
  EXPECT_THAT(Train("softmax", {{"--data", folder.path() + "/digits"},
                                {"--batch", "8"},
                                {"--threads", "1"},
                                {"--steps", "3"},
                                {"--save-every", "1"},
                                {"--checkpoint", out}}),
              HasSubstr(Str("Try it: plumb run ", prefix, ".meta --restore ", prefix,
                            " --feed images=@IMAGES.npy --fetch prediction\n")));
  const MetaGraph meta = LoadMetaGraphFile(prefix + ".meta");
  const auto session = OpenSession("reference");
  Check(session->Extend(meta.graph));
  Restore(*session, meta, PrefixOf(out));
  std::vector<Tensor> outputs;
  const Feed images = {"images", Tensor(DType::kFloat, Shape({8, 784}))};
  const std::string prediction = "prediction";
  Check(session->Run({&images, 1}, {&prediction, 1}, {}, &outputs));
  EXPECT_EQ(outputs.at(0).shape(), Shape({8, 10}));
}

// The number of the test set's images, up to `most`, that the checkpoint's model takes for what they are, in per cent.
std::string ShareRight(const std::string& prefix, const std::string& data, int64_t most) {
  const MetaGraph meta = LoadMetaGraphFile(prefix + ".meta");
  const auto session = OpenSession("reference");
  Check(session->Extend(meta.graph));
  Restore(*session, meta, prefix);
  const DigitSet digits = ToDigitSet(ReadMnist(data).test);
  int64_t right = 0;
  for (int64_t i = 0; i < most; ++i) {
    const Feed image = {"images", digits.images.Rows(i, 1)};
    const std::string prediction = "prediction";
    std::vector<Tensor> outputs;
    Check(session->Run({&image, 1}, {&prediction, 1}, {}, &outputs));
    const auto of_classes = outputs.at(0).data<float>();
    const auto best = std::max_element(of_classes.begin(), of_classes.end()) - of_classes.begin();
    right += best == digits.labels.data<int32_t>()[static_cast<size_t>(i)] ? 1 : 0;
  }
  char percent[16];
  std::snprintf(percent, sizeof percent, "%.2f", 100.0 * static_cast<double>(right) / static_cast<double>(most));
  return percent;
}

TEST(TrainModels, AreTriedOnTheTestSet) {
  const TemporaryFolder folder;
  const std::string data = folder.path() + "/digits", out = folder.path() + "/model";
  MakeDigits({.folder = data, .train = 640, .test = 50});
  const auto train = [&](const std::string& steps, const std::string& most) {
    return Train("softmax", {{"--data", data},
                             {"--batch", "8"},
                             {"--threads", "1"},
                             {"--steps", steps},
                             {"--learning-rate", "0.1"},
                             {"--test-images", most},
                             {"--checkpoint", out}});
  };
  const std::string all = train("60", "10000"), some = train("61", "7");
  EXPECT_THAT(all, HasSubstr(Str("Test accuracy: ", ShareRight(out + "/model.ckpt-60", data, 50),
                                 " % of 50 images, the test set\n")));
  EXPECT_THAT(some, HasSubstr(Str("Test accuracy: ", ShareRight(out + "/model.ckpt-61", data, 7),
                                  " % of 7 images, the first of the test set\n")));
  EXPECT_THAT(train("62", "0"), Not(HasSubstr("Test accuracy")));
}

TEST(TrainModels, HaveTheirEventsInTheFileByEachCheckpoint) {
  const TemporaryFolder folder;
  Train("softmax", {{"--data", ""},
                    {"--batch", "8"},
                    {"--threads", "1"},
                    {"--steps", "10"},
                    {"--checkpoint", folder.path() + "/model"},
                    {"--events", folder.path() + "/a/b"}});
  EXPECT_THAT(Files().List(folder.path() + "/a/b"), ElementsAre(HasSubstr("events.out.tfevents.")));
}

// So little time that it has passed after each step, or so much that it never has.
TEST(TrainModels, SaveByTime) {
  const TemporaryFolder folder;
  const auto saved = [&](const std::string& every) {
    const std::string to = Str(folder.path(), "/", every);
    Train("softmax", {{"--data", ""},
                      {"--batch", "8"},
                      {"--threads", "1"},
                      {"--steps", "3"},
                      {"--checkpoint", to},
                      {"--save-every", every}});
    std::vector<int> steps;
    for (int step = 0; step <= 3; ++step) {
      if (CheckpointExists(Files(), Str(to, "/model.ckpt-", step))) steps.push_back(step);
    }
    return steps;
  };
  EXPECT_THAT(saved("0.000000001s"), ElementsAre(1, 2, 3));
  EXPECT_THAT(saved("100h"), ElementsAre(3)) << "what is saved in the end";
  EXPECT_THAT(StatusOf([&] { saved("soon"); }).message(), HasSubstr("'soon' does not say how often to save"));
}

// Dropout, and noise that a model draws for itself: what a run that is cut draws goes on where the first part ended.
TEST(TrainModels, GoOnWithTheirRandomNumbers) {
  const TemporaryFolder folder;
  const auto expect_alike = [&](const std::string& model, std::map<std::string, std::string> given) {
    const auto train = [&](const std::string& out, const std::string& steps) {
      given["--checkpoint"] = Str(folder.path(), "/", model, "-", out);
      given["--steps"] = steps;
      Train(model, given);
      return Str(given["--checkpoint"], "/model.ckpt-", steps);
    };
    given["--threads"] = "1";
    given["--save-every"] = "2";
    const std::string whole = train("whole", "5");
    train("parts", "3");
    const std::string parts = train("parts", "5");
    EXPECT_THAT(DiffCheckpoints(whole, parts, /*all=*/true).lines, IsEmpty()) << model;
  };
  const std::map<std::string, std::string> small = {{"--width", "0.02"}, {"--side", "67"}, {"--batch", "4"}};
  expect_alike("alexnet", small);
  auto cut = small;
  cut["--shards"] = "2";
  cut["--seed"] = "2";
  expect_alike("alexnet", cut);
}

TEST(TrainModels, GoOnAmongTheImagesOfAFolder) {
  const TemporaryFolder folder;
  for (const std::string name : {"cat", "dog"}) {
    Files().MakeFolders(folder.path() + "/images/" + name);
    for (const uint8_t grey : {0, 100, 255}) {
      Files().Write(Str(folder.path(), "/images/", name, "/", int{grey}, ".png"), PngFile(&grey, 1, 1, 1));
    }
  }
  const auto train = [&](const std::string& out, const std::string& steps) {
    return Train("vgg-a", {{"--data", folder.path() + "/images"},
                           {"--width", "0.02"},
                           {"--side", "32"},
                           {"--batch", "4"},
                           {"--threads", "1"},
                           {"--steps", steps},
                           {"--checkpoint", folder.path() + "/" + out}});
  };
  EXPECT_THAT(train("whole", "5"), HasSubstr("Training on the 6 images in " + folder.path() + "/images, from step 0"));
  train("parts", "2");
  EXPECT_THAT(train("parts", "5"), HasSubstr("going on from step 2"));
  EXPECT_THAT(DiffCheckpoints(folder.path() + "/whole/model.ckpt-5", folder.path() + "/parts/model.ckpt-5").lines,
              IsEmpty());
}

TEST(TrainModels, LearnToTranslateLines) {
  const TemporaryFolder folder;
  Files().Write(folder.path() + "/train.source", "one word\ntwo\n");
  Files().Write(folder.path() + "/train.target", "word\nzwei\n");
  for (const char* const model : {"seq2seq", "transformer-translation"}) {
    EXPECT_THAT(Train(model, {{"--data", folder.path()}, {"--small", ""}, {"--steps", "2"}, {"--threads", "1"}}),
                HasSubstr("Training on what lies in " + folder.path() + ", from step 0"));
  }
}

TEST(TrainModels, TrainsModelsOfOtherKindsToo) {
  EXPECT_THAT(Train("transformer", {{"--small", ""}, {"--steps", "2"}, {"--threads", "1"}}),
              HasSubstr("Training on a made-up batch, from step 0"));
}

TEST(TrainModels, RefusesWhatItCannotRead) {
  const TemporaryFolder folder;
  const auto refused = [](std::string_view model, const std::map<std::string, std::string>& given) {
    return StatusOf([&] { Train(model, given); });
  };
  EXPECT_EQ(refused("mlp", {{"--data", folder.path()}}).code(), Code::kNotFound);
  EXPECT_THAT(refused("cifar10", {{"--data", folder.path()}}).message(), HasSubstr("data_batch_1.bin"));
  EXPECT_THAT(refused("vgg-a", {{"--data", folder.path()}, {"--side", "32"}}).message(),
              HasSubstr("there are no images in '" + folder.path() + "'"));
  EXPECT_EQ(refused("lenet", {{"--steps", "0"}}).code(), Code::kInvalidArgument);
  EXPECT_THAT(refused("googlenet", {{"--cluster", "ps=1,worker=2"}}).message(), HasSubstr("mpirun"));
  EXPECT_THAT(refused("overfeat", {{"--cluster", "worker=1"}, {"--strategy", "async-ps"}}).message(),
              HasSubstr("ps=1,worker=3"));
  EXPECT_THAT(refused("inception-v3", {{"--cluster", "worker=1"}, {"--strategy", "rings"}}).message(),
              HasSubstr("async-ps"));
  EXPECT_THAT(refused("mlp", {{"--strategy", "rings"}}).message(), HasSubstr("there is no --strategy rings"));
  EXPECT_THAT(refused("mlp", {{"--strategy", "sync-ps"}}).message(), HasSubstr("and this is one process"));
  EXPECT_THAT(refused("mlp", {{"--strategy", ""}, {"--allreduce", "star"}}).message(),
              HasSubstr("there is no --allreduce star"));
  EXPECT_THAT(refused("vgg-a", {{"--batch", "9"}, {"--shards", "2"}}).message(), HasSubstr("of one size"));
  EXPECT_THAT(
      refused("resnet-50", {{"--cluster", "worker=1"}, {"--strategy", "async-ps"}, {"--shards", "2"}}).message(),
      HasSubstr("sync-ps, allreduce, in-graph or model-parallel"));
  EXPECT_THAT(refused("googlenet", {{"--cluster", "worker=1"}, {"--backend", "sim"}}).message(),
              HasSubstr("--backend sim is for training in one process"));
}

}  // namespace
}  // namespace plumb::tools
