#include "tools/train/data/make_data.h"

#include <algorithm>

#include "spec/formats/idx.h"
#include "tools/commands.h"
#include "tools/folder.h"
#include "tools/train/data/digits.h"

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
  constexpr int kMost = 1000000;
  Require(options.train >= 1 && options.train <= kMost && options.test >= 1 && options.test <= kMost, "between 1 and ",
          kMost, " images can be rendered, not ", options.train, " and ", options.test);
  MakeFolderFor("DIR", options.folder);
  // Different seeds, so that no test image was trained on.
  const uint64_t seed = 2 * static_cast<uint64_t>(options.seed);
  WriteMnist(options.folder, {Render(options.train, seed), Render(options.test, seed + 1)});
}

namespace {

class Digits : public Command {
 public:
  const char* name() const override { return "digits"; }
  const char* help() const override { return "Renders 28 x 28 digits into the four files of MNIST."; }
  void Declare(Options& options) override {
    options.Argument("DIR", &digits_.folder, "folder to write to");
    options.Option("--train", &digits_.train, "images to train on");
    options.Option("--test", &digits_.test, "images to test with");
    options.Option("--seed", &digits_.seed, "of the random hand");
  }
  int Run() override {
    MakeDigits(digits_);
    return 0;
  }

 private:
  MakeDigitsOptions digits_;
};

class MakeData : public Command {
 public:
  const char* name() const override { return "make-data"; }
  const char* help() const override { return "Makes data sets for those who have none."; }
  void Declare(Options&) override {}
  int Run() override { return 0; }
  std::vector<Command*> subcommands() override { return {&digits_}; }

 private:
  Digits digits_;
};

}  // namespace

Command& MakeDataCommand() {
  static MakeData command;
  return command;
}

}  // namespace plumb::tools
