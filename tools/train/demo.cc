#include "tools/train/demo.h"

#include <cmath>
#include <cstdio>

#include "backends/backends.h"
#include "spec/files/file_system.h"
#include "spec/formats/event_file.h"
#include "spec/graph/proto_io.h"
#include "tools/check.h"
#include "tools/commands.h"
#include "tools/folder.h"
#include "tools/plot/loss_plot.h"
#include "tools/train/data/digit_training.h"
#include "tools/train/data/digits.h"
#include "tools/train/data/make_data.h"
#include "tools/train/progress.h"

namespace plumb::tools {
namespace {

// The digits to train on: the user's, or rendered once.
Mnist LoadDigits(const DemoOptions& options) {
  if (!options.data.empty()) return ReadMnist(options.data);
  const std::string folder = options.out + "/digits";
  if (!Files().Exists(folder + "/train-images-idx3-ubyte")) {
    std::printf("Rendering digits into %s\n", folder.c_str());
    MakeDigits({.folder = folder});
  }
  return ReadMnist(folder);
}

models::ImageClassifier Build(Scope& scope, const DemoOptions& options) {
  const std::unique_ptr<Optimizer> optimizer = Adam({.learning_rate = options.learning_rate});
  if (options.model == "lenet") return models::BuildLeNet(scope, *optimizer);
  Require(options.model == "mlp", "the model is mlp or lenet, not '", options.model, "'");
  return models::BuildMlp(scope, {128}, *optimizer);
}

// How often the test images are looked at on the way.
constexpr int kTests = 20;

// Trains, draws the curve and writes the events; returns the seconds that this took.
double Train(Session& session, const Scope& scope, const models::ImageClassifier& model, DigitBatches& batches,
             const DigitSet& test, const DemoOptions& options) {
  EventWriter events(options.out);
  events.AddGraph(SerializeGraphDef(scope.ToGraphDef()));
  LossCurve curve{.title = "Training loss, " + options.model + " on digits, batch " + std::to_string(options.batch),
                  .steps = {},
                  .losses = {},
                  .tested_steps = {},
                  .accuracies = {}};
  const int between_tests = std::max(1, options.steps / kTests);
  Progress progress(stdout, options.steps, options.batch);
  TrainDigits(session, scope, model, batches, options.steps, [&](int64_t step, float loss) {
    curve.steps.push_back(static_cast<double>(step));
    curve.losses.push_back(loss);
    if (step % 10 == 0) events.AddScalar(step, "loss", loss);
    progress.Update(step, loss);
    if (step % between_tests != 0) return;
    curve.tested_steps.push_back(static_cast<double>(step));
    curve.accuracies.push_back(DigitAccuracy(session, model, test));
    events.AddScalar(step, "test accuracy", static_cast<float>(curve.accuracies.back()));
  });
  progress.Finish();
  events.Close();
  WriteLossPlot(curve, options.out + "/loss.png");
  std::printf("Loss curve: %s/loss.png\nTensorBoard events: %s\n", options.out.c_str(), events.path().c_str());
  return progress.seconds();
}

bool Replay(Scope& scope, const models::ImageClassifier& model, const DigitBatches& batches,
            const DemoOptions& options) {
  std::printf("Replaying %lld steps on the reference\n", static_cast<long long>(options.replay_steps));
  std::fflush(stdout);
  const ReplayVerdict verdict = ReplayDigits(options.backend, scope, model, batches, options.replay_steps);
  std::printf(
      "Verdict: %s and the reference %s: %lld numbers compared over %lld steps, worst difference %.3g of its "
      "limit (%s)\n",
      options.backend.c_str(), verdict.agrees ? "agree" : "DISAGREE", static_cast<long long>(verdict.compared),
      static_cast<long long>(verdict.steps), verdict.worst, verdict.judge.c_str());
  if (!verdict.agrees) std::printf("%s\n", verdict.detail.c_str());
  return verdict.agrees;
}

}  // namespace

int RunDemo(const DemoOptions& options) {
  MakeFolderFor("--out", options.out);
  const Mnist files = LoadDigits(options);
  const DigitSet train = ToDigitSet(files.train), test = ToDigitSet(files.test);
  Scope scope;
  const models::ImageClassifier model = Build(scope, options);
  const std::unique_ptr<Session> session = OpenSession(options.backend, {.threads = options.threads});
  Check(session->Extend(scope.ToGraphDef()));
  std::vector<Tensor> none;
  const std::vector<std::string> init = {scope.NameOf(model.init)};
  Check(session->Run({}, {}, init, &none));
  const DigitBatches batches(train, options.batch, /*seed=*/1);
  DigitBatches training = batches;
  const double seconds = Train(*session, scope, model, training, test, options);
  const bool agrees = Replay(scope, model, batches, options);
  std::printf("Training took %.1f s\nTest accuracy: %.2f %% of %lld images\n", seconds,
              100 * DigitAccuracy(*session, model, test), static_cast<long long>(test.size()));
  return agrees ? 0 : 1;
}

namespace {

class Demo : public Command {
 public:
  const char* name() const override { return "demo"; }
  const char* help() const override {
    return "Trains a digit classifier, replays its first steps on the reference and plots the loss.";
  }
  void Declare(Options& options) override {
    options.Option("--data", &demo_.data, "folder of the four MNIST files (default: digits are rendered)");
    options.Option("--out", &demo_.out, "folder for the plot, the events and the rendered digits");
    options.Option("--model", &demo_.model, "mlp or lenet");
    options.Option("--backend", &demo_.backend, "cpu or reference");
    options.Option("--steps", &demo_.steps, "training steps");
    options.Option("--batch", &demo_.batch, "images per step");
    options.Option("--replay", &demo_.replay_steps, "steps to replay on the reference");
    options.Option("--learning-rate", &demo_.learning_rate, "of the Adam optimizer");
    options.Option("--threads", &demo_.threads, "threads of the session (0: one per core)");
  }
  int Run() override { return RunDemo(demo_); }

 private:
  DemoOptions demo_;
};

}  // namespace

Command& DemoCommand() {
  static Demo command;
  return command;
}

}  // namespace plumb::tools
