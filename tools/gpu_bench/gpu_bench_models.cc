#include "tools/gpu_bench/gpu_bench_models.h"

#include "models/char_lstm.h"
#include "models/image/alexnet.h"
#include "models/image/digits.h"
#include "models/image/googlenet.h"
#include "models/image/resnet.h"
#include "models/image/vgg.h"
#include "models/learner.h"
#include "models/sequence/transformer.h"
#include "spec/core/status.h"

namespace plumb::tools {
namespace {

using models::ImageClassifier;
using models::ImageOptions;
using models::Learner;

// 0 where something is not known.
double ElementsOf(const PartialShape& shape) {
  return shape.IsFullyDefined() ? static_cast<double>(shape.ToShape().elements()) : 0;
}

// Of a product or a convolution, which their attributes tell apart; 0 of any other node.
double OperationsOf(const GraphBuilder& builder, const Node& node) {
  const auto shape = [&](int input) { return builder.shape(node.inputs[static_cast<size_t>(input)]); };
  const PartialShape& made = builder.shape({node.id, 0});
  if (node.attrs.contains("transpose_a")) {
    const int folded = GetAttr<bool>(node.attrs, "transpose_a") ? 0 : 1;
    return shape(0).has_rank() ? 2 * ElementsOf(made) * static_cast<double>(shape(0).dim(folded)) : 0;
  }
  if (node.attrs.contains("adj_x")) {
    const int last = shape(0).rank() - 1, folded = GetAttr<bool>(node.attrs, "adj_x") ? last - 1 : last;
    return last > 0 ? 2 * ElementsOf(made) * static_cast<double>(shape(0).dim(folded)) : 0;
  }
  if (!node.attrs.contains("dilations")) return 0;
  const auto convolved = [](const PartialShape& filters, const PartialShape& images) {
    return filters.rank() == 4 ? 2 * ElementsOf(images) * ElementsOf(filters) / static_cast<double>(filters.dim(3)) : 0;
  };
  // Gradients take three inputs, of which one says the shape of the result.
  if (node.inputs.size() == 2) return convolved(shape(1), made);
  return shape(0).rank() == 1 ? convolved(shape(1), shape(2)) : convolved(made, shape(2));
}

// The node, and all that it waits for.
std::set<NodeId> NeededFor(const Graph& graph, NodeId target) {
  std::set<NodeId> needed;
  std::vector<NodeId> waiting = {target};
  while (!waiting.empty()) {
    const NodeId id = waiting.back();
    waiting.pop_back();
    if (!needed.insert(id).second) continue;
    const Node& node = graph.node(id);
    for (const Endpoint& input : node.inputs) waiting.push_back(input.node);
    waiting.insert(waiting.end(), node.control_inputs.begin(), node.control_inputs.end());
  }
  return needed;
}

ModelStep Made(Scope& scope, const Learner& model) {
  ModelStep step;
  step.graph = scope.ToGraphDef();
  step.feeds = models::SyntheticBatch(model, 1);
  step.init = scope.NameOf(model.init);
  step.train = scope.NameOf(model.train);
  for (const NodeId id : NeededFor(scope.builder().graph(), model.train)) {
    step.operations += OperationsOf(scope.builder(), scope.builder().graph().node(id));
  }
  return step;
}

template <class Build>
ModelStep MakeImages(Build build, const ImageOptions& options) {
  Scope scope;
  const auto optimizer = Sgd({.learning_rate = 0.01});
  const ImageClassifier model = build(scope, *optimizer, options);
  Learner learner;
  learner.inputs = {{model.images}, {model.labels, model.logits.shape().dim(1)}};
  learner.init = model.init;
  learner.train = model.train;
  return Made(scope, learner);
}

// A classifier of digits, or one of photographs, which is narrow where it is small.
template <auto kBuild>
ModelStep MakeDigits(int64_t batch, bool is_small) {
  return MakeImages(kBuild, {.width = is_small ? 0.0625 : 1, .batch = batch});
}
template <auto kBuild, int64_t kSmallSide>
ModelStep MakePhotographs(int64_t batch, bool is_small) {
  if (!is_small) return MakeImages(kBuild, {.batch = batch});
  return MakeImages(kBuild, {.side = kSmallSide, .classes = 10, .width = 0.03125, .batch = batch});
}

ImageClassifier BuildTwoHidden(Scope& scope, Optimizer& optimizer, const ImageOptions& options) {
  return models::BuildMlp(scope, {2048, 2048}, optimizer, options);
}

template <bool kIsUnrolled>
ModelStep MakeLstm(int64_t batch, bool is_small) {
  models::CharLstmOptions options = {.embedding = 512, .units = 512, .steps = 50};
  if (is_small) options = {.vocabulary = 9, .embedding = 4, .units = 4, .steps = 3};
  options.batch = batch;
  options.is_unrolled = kIsUnrolled;
  Scope scope;
  const auto optimizer = Sgd({.learning_rate = 0.01});
  const models::CharLstm model = models::BuildCharLstm(scope, *optimizer, options);
  Learner learner;
  learner.inputs = {
      {model.inputs, options.vocabulary}, {model.targets, options.vocabulary}, {model.cell_in}, {model.hidden_in}};
  learner.init = model.init;
  learner.train = model.train;
  ModelStep step = Made(scope, learner);
  // What a loop does is counted where it is written down as often as it is done.
  if (!kIsUnrolled) step.operations = MakeLstm<true>(batch, is_small).operations;
  return step;
}

ModelStep MakeTransformer(int64_t batch, bool is_small) {
  models::TransformerOptions options;
  if (is_small) options = {.vocabulary = 9, .size = 8, .hidden = 12, .heads = 2, .layers = 2, .steps = 4};
  options.batch = batch;
  Scope scope;
  const auto optimizer = Sgd({.learning_rate = 0.01});
  return Made(scope, models::BuildTransformer(scope, *optimizer, options));
}

}  // namespace

const std::vector<BenchModel>& BenchModels() {
  static const std::vector<BenchModel> all = {
      {"mlp", 1024, 4, MakeDigits<BuildTwoHidden>},
      {"lenet", 512, 4, MakeDigits<models::BuildLeNet>},
      {"resnet-50", 64, 2, MakePhotographs<models::BuildResNet50, 32>},
      {"transformer", 64, 2, MakeTransformer},
      {"alexnet", 128, 2, MakePhotographs<models::BuildAlexNet, 67>},
      {"vgg-a", 32, 2, MakePhotographs<models::BuildVggA, 32>},
      {"googlenet", 64, 2, MakePhotographs<models::BuildGoogLeNet, 32>},
      {"lstm", 64, 2, MakeLstm<true>},
      {"lstm in a loop", 64, 2, MakeLstm<false>},
  };
  return all;
}

const BenchModel& FindBenchModel(const std::string& name) {
  for (const BenchModel& model : BenchModels()) {
    if (name == model.name) return model;
  }
  throw NotFound("no model of the benches is called ", name);
}

}  // namespace plumb::tools
