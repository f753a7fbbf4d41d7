#include "models/image/inception.h"

#include <string>
#include <vector>

#include "models/image/network.h"

namespace plumb::models {
namespace {

constexpr double kEpsilon = 1e-3;
constexpr Window kOne = {.height = 1, .width = 1}, kThree = {}, kFive = {.height = 5, .width = 5};
constexpr Window kRow3 = {.height = 1, .width = 3}, kColumn3 = {.height = 3, .width = 1};
constexpr Window kRow7 = {.height = 1, .width = 7}, kColumn7 = {.height = 7, .width = 1};
constexpr Window kThreeValid = {.padding = "VALID"}, kHalve = {.stride = 2, .padding = "VALID"};

// The modules' layers; figures and numbers of filters are those of the paper and of its authors' program.
class Modules {
 public:
  explicit Modules(Network& net) : net_(net) {}

  Output Convolve(Output x, int64_t filters, const Window& window) {
    const std::string name = "conv" + std::to_string(++layers_);
    return net_.Relu(net_.ConvolveNormalized(x, name, filters, window, kEpsilon));
  }

  // 35 × 35: 5 × 5 filters, and two 3 × 3 instead of another 5 × 5 (figure 5).
  Output Wide(Output x, int64_t pool) {
    const Output one = Convolve(x, 64, kOne);
    const Output five = Convolve(Convolve(x, 48, kOne), 64, kFive);
    const Output three = Convolve(Convolve(Convolve(x, 64, kOne), 96, kThree), 96, kThree);
    return Join({one, five, three, Pooled(x, pool)});
  }
  // 35 × 35 to 17 × 17 (figure 10).
  Output WideToMiddle(Output x) {
    const Output three = Convolve(x, 384, kHalve);
    const Output twice = Convolve(Convolve(Convolve(x, 64, kOne), 96, kThree), 96, kHalve);
    return Join({three, twice, MaxPool(net_.scope(), x, kHalve)});
  }
  // 17 × 17: 7 × 7 filters as rows and columns (figure 6).
  Output Middle(Output x, int64_t inner) {
    const Output one = Convolve(x, 192, kOne);
    const Output seven = Convolve(Convolve(Convolve(x, inner, kOne), inner, kRow7), 192, kColumn7);
    Output twice = Convolve(Convolve(Convolve(x, inner, kOne), inner, kColumn7), inner, kRow7);
    twice = Convolve(Convolve(twice, inner, kColumn7), 192, kRow7);
    return Join({one, seven, twice, Pooled(x, 192)});
  }
  // 17 × 17 to 8 × 8.
  Output MiddleToNarrow(Output x) {
    const Output three = Convolve(Convolve(x, 192, kOne), 320, kHalve);
    const Output seven = Convolve(Convolve(Convolve(Convolve(x, 192, kOne), 192, kRow7), 192, kColumn7), 192, kHalve);
    return Join({three, seven, MaxPool(net_.scope(), x, kHalve)});
  }
  // 8 × 8: rows and columns beside each other (figure 7).
  Output Narrow(Output x) {
    const Output one = Convolve(x, 320, kOne);
    const Output three = Spread(Convolve(x, 384, kOne));
    const Output twice = Spread(Convolve(Convolve(x, 448, kOne), 384, kThree));
    return Join({one, three, twice, Pooled(x, 192)});
  }

 private:
  Output Join(const std::vector<Output>& paths) { return ConcatChannels(net_.scope(), paths); }
  Output Spread(Output x) { return Join({Convolve(x, 384, kRow3), Convolve(x, 384, kColumn3)}); }
  Output Pooled(Output x, int64_t filters) { return Convolve(AveragePool(net_.scope(), x, kThree), filters, kOne); }

  Network& net_;
  int layers_ = 0;
};

}  // namespace

ImageClassifier BuildInceptionV3(Scope& scope, Optimizer& optimizer, const ImageOptions& options) {
  Network net(scope, options.Or(kInceptionV3));
  Modules modules(net);
  Output x = modules.Convolve(net.images(), 32, kHalve);
  x = modules.Convolve(modules.Convolve(x, 32, kThreeValid), 64, kThree);
  x = modules.Convolve(MaxPool(scope, x, kHalve), 80, kOne);
  x = MaxPool(scope, modules.Convolve(x, 192, kThreeValid), kHalve);
  for (const int64_t pool : {32, 64, 64}) x = modules.Wide(x, pool);
  x = modules.WideToMiddle(x);
  for (const int64_t inner : {128, 160, 160, 192}) x = modules.Middle(x, inner);
  x = modules.Narrow(modules.Narrow(modules.MiddleToNarrow(x)));
  x = net.Dropout(GlobalAveragePool(scope, x), 0.8);
  return net.Finish(net.Logits(x, "logits"), optimizer);
}

}  // namespace plumb::models
