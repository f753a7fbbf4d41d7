// Every model that clips its gradients gives its optimizer gradients of no larger norm than its options say.
#include <limits>

#include "client/clip.h"
#include "models/char_lstm.h"
#include "models/sequence/captioning.h"
#include "models/sequence/language_model.h"
#include "models/sequence/pointer_network.h"
#include "models/sequence/translation.h"
#include "models/testing.h"

namespace plumb::models {
namespace {

class ClippedModels : public OnEachBackend {};
PLUMB_ON_EACH_BACKEND(ClippedModels);

// Keeps the gradients that it is to apply, and applies none.
class Witness : public Optimizer {
 public:
  std::vector<GradientValue> seen;

 protected:
  std::string name() const override { return "Witness"; }
  NodeId ApplyDense(Scope& scope, const Variable&, Endpoint gradient) override {
    return Keep(scope, GradientValue{gradient});
  }
  NodeId ApplySparse(Scope& scope, const Variable&, const GradientValue& gradient) override {
    return Keep(scope, gradient);
  }

 private:
  NodeId Keep(Scope& scope, const GradientValue& gradient) {
    seen.push_back(gradient);
    return scope.builder().Add("NoOp", {});
  }
};

// Builds a model that clips to this norm, and gives a batch for it.
using Builder = std::vector<FeedValue> (*)(Scope& scope, Optimizer& optimizer, double clip_norm);

template <auto kBuild, class Options>
std::vector<FeedValue> Built(Scope& scope, Optimizer& optimizer, Options options, double clip_norm) {
  options.clip_norm = clip_norm;
  return Batch(kBuild(scope, optimizer, options));
}

std::vector<FeedValue> BuiltCharLstm(Scope& scope, Optimizer& optimizer, double clip_norm) {
  const CharLstm model = BuildCharLstm(
      scope, optimizer, {.vocabulary = 5, .embedding = 3, .units = 4, .steps = 3, .batch = 2, .clip_norm = clip_norm});
  const Tensor state = MakeTensor<float>({2, 4}, {0.5, -0.5, 0.25, 0, 1, 0, -0.25, 0.5});
  return {{model.inputs, MakeTensor<int32_t>({3, 2}, {0, 1, 2, 3, 4, 0})},
          {model.targets, MakeTensor<int32_t>({3, 2}, {2, 3, 4, 0, 1, 2})},
          {model.cell_in, state},
          {model.hidden_in, state}};
}

struct Model {
  const char* name;
  Builder build;
};
constexpr Model kModels[] = {
    {"character language model", BuiltCharLstm},
    {"language model",
     [](Scope& scope, Optimizer& optimizer, double norm) {
       const LanguageModelOptions small = {
           .vocabulary = 11, .embedding = 4, .units = 5, .projection = 3, .steps = 3, .batch = 2};
       return Built<BuildLanguageModel>(scope, optimizer, small, norm);
     }},
    {"translation",
     [](Scope& scope, Optimizer& optimizer, double norm) {
       const TranslationOptions small = {.source_vocabulary = 9,
                                         .target_vocabulary = 7,
                                         .units = 4,
                                         .source_steps = 3,
                                         .target_steps = 2,
                                         .batch = 2};
       return Built<BuildTranslation>(scope, optimizer, small, norm);
     }},
    {"pointer network",
     [](Scope& scope, Optimizer& optimizer, double norm) {
       const PointerNetworkOptions small = {.units = 4, .points = 4, .outputs = 3, .batch = 2};
       return Built<BuildPointerNetwork>(scope, optimizer, small, norm);
     }},
    {"captioning",
     [](Scope& scope, Optimizer& optimizer, double norm) {
       const CaptioningOptions small = {.side = 8, .channels = 2, .vocabulary = 7, .units = 4, .steps = 3, .batch = 2};
       return Built<BuildCaptioning>(scope, optimizer, small, norm);
     }},
};

struct Norm {
  double value;
  double rounding;  // of a sum of that many squares in float32, its root, and the scaling before it, at most
};

// The norm of all gradients that the model's optimizer is given in its first step.
Norm GivenNorm(std::string_view backend, const Model& model, double clip_norm) {
  Scope scope;
  Witness witness;
  const std::vector<FeedValue> feeds = model.build(scope, witness, clip_norm);
  std::vector<Output> values = {GlobalNorm(scope, witness.seen)};
  for (const GradientValue& gradient : witness.seen) values.push_back({&scope.builder(), gradient.values});
  const NodeId init = InitializeAll(scope);
  Program program(scope, OpenSession(backend));
  program.Run(init);
  const std::vector<Tensor> fetched = program.Fetch(values, feeds);
  int64_t elements = 0;
  for (const Tensor& value : fetched) elements += value.elements();
  const double rounding = static_cast<double>(elements + 10) * std::numeric_limits<float>::epsilon();
  return {fetched[0].scalar<float>(), rounding};
}

TEST_P(ClippedModels, GiveGradientsOfTheNormThatTheOptionsSay) {
  for (const Model& model : kModels) {
    const double whole = GivenNorm(GetParam(), model, 1e6).value;
    ASSERT_GT(whole, 0) << model.name;
    for (const double part : {0.5, 0.125}) {
      const auto [clipped, rounding] = GivenNorm(GetParam(), model, part * whole);
      EXPECT_NEAR(clipped, part * whole, 2 * rounding * whole) << model.name;
    }
    const auto [kept, rounding] = GivenNorm(GetParam(), model, 2 * whole);
    EXPECT_NEAR(kept, whole, 2 * rounding * whole) << model.name;
  }
}

}  // namespace
}  // namespace plumb::models
