// `plumb train`: a character language model on any text, and every model of the catalogues (train_models.h).
#include <cmath>
#include <cstdio>

#include "backends/backends.h"
#include "models/char_lstm.h"
#include "spec/files/file.h"
#include "spec/formats/event_file.h"
#include "tools/check.h"
#include "tools/commands.h"
#include "tools/folder.h"
#include "tools/plot/loss_plot.h"
#include "tools/train/data/char_text.h"
#include "tools/train/progress.h"
#include "tools/train/strategies.h"
#include "tools/train/train_models.h"
#include "tools/train/train_replica.h"

namespace plumb::tools {
namespace {

struct CharLstmTraining {
  std::string text = "/usr/share/common-licenses/GPL-3";
  std::string out = "build/char-lstm";
  std::string backend = "cpu";
  int steps = 1000;
  int batch = 16;
  int unroll = 32;
  int units = 128;
  double learning_rate = 0.003;
  int threads = 0;
  bool parameters = false;
};

models::CharLstmOptions ModelOptions(const CharLstmTraining& training, int64_t vocabulary) {
  models::CharLstmOptions options;
  options.vocabulary = vocabulary;
  options.units = training.units;
  options.steps = training.unroll;
  options.batch = training.batch;
  return options;
}

// One pass of a text through the model, its state carried from window to window.
class Reader {
 public:
  Reader(Session& session, const Scope& scope, const models::CharLstm& model, TextStreams streams)
      : session_(session), model_(model), train_(scope.NameOf(model.train)), streams_(std::move(streams)) {}

  // Mean loss per character of the next window, in nats; with `train`, after which the weights are updated.
  float Read(bool train) {
    const TextStreams::Window window = streams_.Next();
    if (window.starts_over || !cell_.IsSet()) {
      const Shape shape = model_.cell_in.shape().ToShape();
      cell_ = Zeros(DType::kFloat, shape);
      hidden_ = Zeros(DType::kFloat, shape);
    }
    const std::vector<Feed> feeds = {{model_.inputs.name(), window.inputs},
                                     {model_.targets.name(), window.targets},
                                     {model_.cell_in.name(), cell_},
                                     {model_.hidden_in.name(), hidden_}};
    const std::vector<std::string> fetches = {model_.loss.name(), model_.cell_out.name(), model_.hidden_out.name()};
    std::vector<std::string> targets;
    if (train) targets.push_back(train_);
    std::vector<Tensor> outputs;
    Check(session_.Run(feeds, fetches, targets, &outputs));
    cell_ = outputs[1];
    hidden_ = outputs[2];
    return outputs[0].scalar<float>();
  }

  double MeanLoss() {
    double sum = 0;
    const int64_t windows = streams_.steps_per_pass();
    for (int64_t i = 0; i < windows; ++i) sum += Read(/*train=*/false);
    return sum / static_cast<double>(windows);
  }

 private:
  Session& session_;
  const models::CharLstm& model_;
  const std::string train_;
  TextStreams streams_;
  Tensor cell_, hidden_;
};

void Train(Reader& reader, const CharLstmTraining& training) {
  EventWriter events(training.out);
  LossCurve curve;
  curve.title = "Loss per character (nats), " + training.text;
  Progress progress(stdout, training.steps, int64_t{training.batch} * training.unroll);
  for (int step = 1; step <= training.steps; ++step) {
    const float loss = reader.Read(/*train=*/true);
    curve.steps.push_back(step);
    curve.losses.push_back(loss);
    if (step % 10 == 0) events.AddScalar(step, "loss", loss);
    progress.Update(step, loss);
  }
  progress.Finish();
  events.Close();
  WriteLossPlot(curve, training.out + "/loss.png");
}

int CountParameters(const CharLstmTraining& training) {
  Scope scope;
  models::BuildCharLstm(scope, *Adam({}), ModelOptions(training, Alphabet(ReadFile(training.text)).size()));
  PrintParameterCount(scope);
  return 0;
}

// The last tenth of the text is kept for the test.
int TrainCharLstm(const CharLstmTraining& training) {
  MakeFolderFor("--out", training.out);
  const std::string text = ReadFile(training.text);
  const Alphabet alphabet(text);
  const std::vector<int32_t> characters = alphabet.Encode(text);
  const auto cut = characters.begin() + static_cast<std::ptrdiff_t>(characters.size() * 9 / 10);
  TextStreams learned({characters.begin(), cut}, training.batch, training.unroll);
  TextStreams held_out({cut, characters.end()}, training.batch, training.unroll);
  Scope scope;
  const auto optimizer = Adam({.learning_rate = training.learning_rate});
  const models::CharLstm model = models::BuildCharLstm(scope, *optimizer, ModelOptions(training, alphabet.size()));
  const auto session = OpenSession(training.backend, {.threads = training.threads});
  Check(session->Extend(scope.ToGraphDef()));
  std::vector<Tensor> none;
  const std::vector<std::string> init = {scope.NameOf(model.init)};
  Check(session->Run({}, {}, init, &none));
  Reader reader(*session, scope, model, std::move(learned));
  Train(reader, training);
  const double loss = Reader(*session, scope, model, std::move(held_out)).MeanLoss();
  std::printf("Held-out text: %.3f nats per character (%.2f bits); guessing blindly takes %.3f\n", loss,
              loss / std::log(2.0), std::log(static_cast<double>(alphabet.size())));
  return 0;
}

class CharLstm : public Command {
 public:
  const char* name() const override { return "char-lstm"; }
  const char* help() const override { return "An LSTM that predicts the next character of a text."; }
  void Declare(Options& options) override {
    options.Option("--text", &training_.text, "file to learn from");
    options.Option("--out", &training_.out, "folder for the plot and the events");
    options.Option("--backend", &training_.backend, "cpu or reference");
    options.Option("--steps", &training_.steps, "training steps");
    options.Option("--batch", &training_.batch, "streams read side by side");
    options.Option("--unroll", &training_.unroll, "characters that gradients reach back");
    options.Option("--units", &training_.units, "size of the LSTM's state");
    options.Option("--learning-rate", &training_.learning_rate, "of the Adam optimizer");
    options.Option("--threads", &training_.threads, "threads of the session (0: one per core)");
    options.Flag("--parameters", &training_.parameters, "prints how many numbers training changes, and ends");
  }
  int Run() override {
    RequireOneProcess("plumb train char-lstm");
    return training_.parameters ? CountParameters(training_) : TrainCharLstm(training_);
  }

 private:
  CharLstmTraining training_;
};

class TrainAll : public Command {
 public:
  const char* name() const override { return "train"; }
  const char* help() const override { return "Trains a model, in one process or under mpirun."; }
  std::string details() const override { return StrategyHelp(); }
  void Declare(Options&) override {}
  int Run() override { return 0; }
  std::vector<Command*> subcommands() override {
    std::vector<Command*> all = ModelTrainingCommands();
    all.push_back(&char_lstm_);
    return all;
  }

 private:
  CharLstm char_lstm_;
};

}  // namespace

Command& TrainCommand() {
  static TrainAll command;
  return command;
}

}  // namespace plumb::tools
