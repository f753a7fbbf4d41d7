// Metrics of the k classes of each example that are predicted to be likeliest. Their sums are float64, as TensorFlow's.
#include <numeric>

#include "client/metrics/counting.h"

namespace plumb::metrics {
namespace {

// The right classes of each example, and the k likeliest ones with the likeliest first.
struct Ranked {
  Output labels, top;  // [..., labels] and [..., k], int64
};
Ranked Rank(Scope& scope, Output labels, Output predictions, int k) {
  const PartialShape &mine = labels.shape(), &theirs = predictions.shape();
  Require(k >= 1, "a metric of the likeliest classes needs at least one of them, not ", k);
  const bool has_one = mine.has_rank() && theirs.has_rank() && theirs.rank() == mine.rank() + 1;
  bool fits = has_one || (mine.has_rank() && theirs.has_rank() && theirs.rank() == mine.rank() && mine.rank() > 0);
  for (int axis = 0; fits && axis + 1 < theirs.rank(); ++axis) {
    fits = mine.dim(axis) < 0 || theirs.dim(axis) < 0 || mine.dim(axis) == theirs.dim(axis);
  }
  Require(fits, "labels of shape ", mine.ToString(), " do not fit predictions of shape ", theirs.ToString(),
          ": labels need the shape of examples, or an axis more for several labels, and predictions one for classes");
  const NodeId top = scope.Add("TopKV2", {predictions, Constant(scope, k)});
  labels = AsType(labels, DType::kInt64);
  if (has_one) labels = scope.Call("ExpandDims", {labels, Constant(scope, -1)});
  return {labels, AsType({&scope.builder(), {top, 1}}, DType::kInt64)};
}

Output AlongLast(Scope& scope, const char* op, Output value) {
  return scope.Call(op, {value, Constant<int32_t>(scope, {-1})});
}
Output AsDouble(Output value) { return AsType(value, DType::kDouble); }

// Which of the top classes are right.
Output Hits(Scope& scope, const Ranked& ranked) {
  const Output each = scope.Call("ExpandDims", {ranked.top, Constant(scope, -1)});
  const Output all = scope.Call("ExpandDims", {ranked.labels, Constant(scope, -2)});
  return AlongLast(scope, "Any", scope.Call("Equal", {each, all}));
}

// Of each example, how many classes are among both, among the top ones alone, and among the labels alone, where a class
// that is named twice is one.
struct Agreement {
  Output both, top_alone, labels_alone;
};
Agreement Agree(Scope& scope, const Ranked& ranked) {
  const Output hits = Hits(scope, ranked);
  const NodeId missed =
      scope.Add("DenseToDenseSetOperation", {ranked.labels, ranked.top}, {{"set_operation", std::string("a-b")}});
  const auto part = [&](int i) { return Output{&scope.builder(), {missed, i}}; };
  return {AlongLast(scope, "Sum", AsDouble(hits)), AlongLast(scope, "Sum", AsDouble(!hits)),
          AsDouble(scope.Call("SetSize", {part(0), part(1), part(2)}))};
}
Agreement AgreeOnClass(Scope& scope, const Ranked& ranked, int64_t class_id) {
  const auto has = [&](Output ids) {
    return AlongLast(scope, "Any", scope.Call("Equal", {ids, Constant(scope, class_id)}));
  };
  const Output in_top = has(ranked.top), in_labels = has(ranked.labels);
  const auto both = [&](Output a, Output b) { return AsDouble(scope.Call("LogicalAnd", {a, b})); };
  return {both(in_top, in_labels), both(in_top, !in_labels), both(!in_top, in_labels)};
}

// "NAME_at_K", "NAME_at_K_classC".
std::string AtK(const char* name, int k, const std::optional<int64_t>& class_id) {
  return class_id ? Str(name, "_at_", k, "_class", *class_id) : Str(name, "_at_", k);
}

// In the current scope.
Metric SumOver(Scope& scope, const std::string& name, Output counts, const std::optional<Output>& weights) {
  const Variable sum = Count(scope, name, {}, DType::kDouble);
  return {sum.value(), Added(scope, sum, SumOfAll(scope, weights ? counts * AsDouble(*weights) : counts))};
}

Metric ShareAtK(Scope& scope, const char* share, const char* misses, Output Agreement::*missed, const Ranked& ranked,
                const AtKOptions& options, int k) {
  const auto named = scope.Sub(NameOr(options.metric, AtK(share, k, options.class_id).c_str()));
  const Agreement counts = options.class_id ? AgreeOnClass(scope, ranked, *options.class_id) : Agree(scope, ranked);
  if (options.metric.weights) CheckWeights(*options.metric.weights, counts.both, "examples");
  const auto sum = [&](const char* name, Output of) {
    return SumOver(scope, AtK(name, k, options.class_id), of, options.metric.weights);
  };
  const Metric hit = sum("true_positive", counts.both), miss = sum(misses, counts.*missed);
  return {hit.value / (hit.value + miss.value), hit.update / (hit.update + miss.update)};
}

// Labels beyond the classes are as none.
Output WithoutUnknown(Scope& scope, Output labels, Output predictions) {
  const Output classes = AsType(DimensionOf(scope, predictions, predictions.shape().rank() - 1), DType::kInt64);
  return scope.Call("SelectV2", {labels >= classes, Constant(scope, int64_t{-1}), labels});
}

// Of each example, Σ over its hits of the precision up to there, over the number of hits that there can be.
Output AveragePrecisions(Scope& scope, const Ranked& ranked, int k) {
  const Output hits = AsDouble(Hits(scope, ranked));
  std::vector<double> places(static_cast<size_t>(k));
  std::iota(places.begin(), places.end(), 1);
  const Output precisions =
      scope.Call("Cumsum", {hits, Constant(scope, -1)}) / Constant(scope, MakeTensor<double>({k}, places));
  const Output labels = AlongLast(scope, "Sum", AsDouble(ranked.labels >= 0));
  const Output possible = scope.Call("Minimum", {labels, Constant(scope, static_cast<double>(k))});
  return AlongLast(scope, "Sum", precisions * hits) / possible;
}

}  // namespace

Metric PrecisionAtK(Scope& scope, Output labels, Output predictions, int k, const AtKOptions& options) {
  const Ranked ranked = Rank(scope, labels, predictions, k);
  return ShareAtK(scope, "precision", "false_positive", &Agreement::top_alone, ranked, options, k);
}

Metric RecallAtK(Scope& scope, Output labels, Output predictions, int k, const AtKOptions& options) {
  const Ranked ranked = Rank(scope, labels, predictions, k);
  return ShareAtK(scope, "recall", "false_negative", &Agreement::labels_alone, ranked, options, k);
}

Metric AveragePrecisionAtK(Scope& scope, Output labels, Output predictions, int k, const MetricOptions& options) {
  const auto named = scope.Sub(NameOr(options, AtK("average_precision", k, {}).c_str()));
  Ranked ranked = Rank(scope, labels, predictions, k);
  ranked.labels = WithoutUnknown(scope, ranked.labels, predictions);
  const Output precisions = AveragePrecisions(scope, ranked, k);
  const Output weights = options.weights ? AsDouble(*options.weights) : Constant(scope, 1.0);
  CheckWeights(weights, precisions, "examples");
  const Output broadcast = BroadcastWeights(scope, weights, precisions);
  const Metric most = SumOver(scope, "max_1", broadcast, {}), total = SumOver(scope, "total", precisions, broadcast);
  return {SafeQuotient(scope, total.value, most.value), SafeQuotient(scope, total.update, most.update)};
}

}  // namespace plumb::metrics
