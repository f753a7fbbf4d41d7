#include "client/input/producers.h"

#include "client/dimensions.h"
#include "client/named_variable.h"

namespace plumb {
namespace {

constexpr char kNoString[] = "there is no string for a producer to produce";

Output Strings(Scope& scope, const std::vector<std::string>& strings) {
  Tensor tensor(DType::kString, {static_cast<int64_t>(strings.size())});
  std::copy(strings.begin(), strings.end(), tensor.mutable_data<std::string>().begin());
  return Constant(scope, tensor);
}

std::string NameOr(const ProducerOptions& options, const char* name) {
  return options.name.empty() ? name : options.name;
}

// The value, so many times; then kOutOfRange.
Output LimitEpochs(Scope& scope, Output value, const std::optional<int64_t>& num_epochs) {
  if (!num_epochs) return value;
  Require(*num_epochs > 0, "input is produced for a positive number of epochs, not ", *num_epochs);
  const auto named = scope.Sub("limit_epochs");
  const Variable epochs = MakeNamedVariable(scope, {.name = JoinName(scope.builder().scope(), "epochs"),
                                                    .shape = {},
                                                    .dtype = DType::kInt64,
                                                    .initializer = Filled(0),
                                                    .trainable = false,
                                                    .local = true});
  const NodeId counted = scope.Add("CountUpTo", {epochs.ref()}, {{"limit", *num_epochs}});
  const auto after = scope.After({counted});
  return scope.Call("Identity", {value});
}

PartialShape ShapeOfRow(const PartialShape& shape) {
  Require(shape.has_rank() && shape.rank() > 0, "input is produced from the rows of a tensor, which the shape ",
          shape.ToString(), " does not have");
  const PartialShape row(std::vector<int64_t>(shape.dims().begin() + 1, shape.dims().end()));
  Require(row.IsFullyDefined(), "rows of input need a known shape, not ", row.ToString());
  return row;
}

// In the current scope.
Queue Produce(Scope& scope, Output rows, const ProducerOptions& options) {
  const PartialShape row = ShapeOfRow(rows.shape());
  if (options.shuffle) {
    rows = scope.Call("RandomShuffle", {rows}, {{"seed", options.seed}, {"seed2", int64_t{1}}});
  }
  const Queue queue(
      scope,
      {.types = {rows.dtype()}, .shapes = {row}, .capacity = options.capacity, .shared_name = options.shared_name});
  AddQueueRunner(scope, {queue}, {queue.EnqueueMany(scope, {LimitEpochs(scope, rows, options.num_epochs)})});
  return queue;
}

}  // namespace

Queue InputProducer(Scope& scope, Output rows, const ProducerOptions& options) {
  const auto named = scope.Sub(NameOr(options, "input_producer"));
  return Produce(scope, rows, options);
}

Queue StringInputProducer(Scope& scope, const std::vector<std::string>& strings, const ProducerOptions& options) {
  Require(!strings.empty(), kNoString);
  const auto named = scope.Sub(NameOr(options, "input_producer"));
  return Produce(scope, Strings(scope, strings), options);
}

Queue StringInputProducer(Scope& scope, Output strings, const ProducerOptions& options) {
  Require(strings.dtype() == DType::kString && strings.shape().rank() == 1,
          "strings are produced from a vector of them, not from ", DTypeName(strings.dtype()), " of shape ",
          strings.shape().ToString());
  const auto named = scope.Sub(NameOr(options, "input_producer"));
  const Output any = scope.Call("Greater", {DimensionOf(scope, strings, 0), Constant(scope, int32_t{0})});
  const NodeId checked =
      scope.Add("Assert", {any, Constant(scope, std::string(kNoString))}, {{"T", std::vector<DType>{DType::kString}}});
  const auto some = [&] {
    const auto after = scope.After({checked});
    return scope.Call("Identity", {strings});
  };
  return Produce(scope, some(), options);
}

Output MatchFilenamesOnce(Scope& scope, const std::vector<std::string>& patterns, const std::string& name) {
  const auto names = [&] {
    const GraphBuilder::ContextScope outside(scope.builder(), nullptr);
    const GraphBuilder::NoControlScope unordered(scope.builder());
    return scope.Call("MatchingFiles", {Strings(scope, patterns)});
  };
  const Variable kept =
      MakeVariable(scope, names(), {.name = name, .trainable = false, .local = true, .any_shape = true});
  return scope.Call("EnsureShape", {kept}, {{"shape", PartialShape({-1})}});
}

Queue RangeInputProducer(Scope& scope, Output limit, const ProducerOptions& options) {
  const auto named = scope.Sub(NameOr(options, "input_producer"));
  return Produce(scope, scope.Call("Range", {Constant(scope, int32_t{0}), limit, Constant(scope, int32_t{1})}),
                 options);
}

std::vector<Output> SliceInputProducer(Scope& scope, const std::vector<Output>& tensors,
                                       const ProducerOptions& options) {
  Require(!tensors.empty(), "there is no tensor to produce slices of");
  for (const Output& tensor : tensors) (void)ShapeOfRow(tensor.shape());
  const auto named = scope.Sub(NameOr(options, "input_producer"));
  ProducerOptions indices = options;
  indices.name.clear();
  const Queue queue = RangeInputProducer(scope, DimensionOf(scope, tensors[0], 0), indices);
  const Output index = queue.Dequeue(scope)[0];
  std::vector<Output> rows;
  for (const Output& tensor : tensors) {
    rows.push_back(scope.Call("GatherV2", {tensor, index, Constant(scope, int32_t{0})}));
  }
  return rows;
}

}  // namespace plumb
