// A graph for each op on staging areas and mutexes: what is put in is taken out in the same step.
#include "bench/graphs/named.h"

namespace plumb::bench {
namespace {

using Types = std::vector<DType>;

constexpr char kAreas[] = "data_flow";
constexpr int64_t kStaged = 100;  // numbers of an element
const Types kFloatType = {DType::kFloat};

// Of an area that has this name.
AttrMap OfArea() { return {{"dtypes", kFloatType}, {"shared_name", std::string("area")}}; }
AttrMap OfMap() {
  AttrMap attrs = OfArea();
  attrs["fake_dtypes"] = kFloatType;
  return attrs;
}

BenchGraph Staging() {
  Scope scope;
  const Output element = Floats(scope, {kStaged});
  ChainBuilder builder(scope);
  for (int i = 0; i < kCalls; ++i) {
    builder.Add("Stage", {element}, OfArea());
    builder.Add("Unstage", {}, OfArea());
  }
  return Named("Stage", kAreas, scope, builder.last(), kCalls);
}

BenchGraph StagingAll() {
  Scope scope;
  const Output element = Floats(scope, {kStaged});
  std::vector<NodeId> nodes;
  for (int i = 0; i < kCalls; ++i) nodes.push_back(scope.Add("Stage", {element}, OfArea()));
  const auto behind = scope.After(nodes);
  return Named("StageClear", kAreas, scope, scope.Add("StageClear", {}, OfArea()), kCalls);
}

// One element lies in the area from the beginning on.
BenchGraph LookingAtArea(const std::string& op, bool by_index) {
  Scope scope;
  const NodeId staged = scope.Add("Stage", {Floats(scope, {kStaged})}, OfArea());
  std::vector<Output> inputs;
  if (by_index) inputs.push_back(Constant(scope, 0));
  return Beside(op, kAreas, scope, inputs, OfArea(), {staged});
}

// kCalls elements into a map, and out again.
BenchGraph Mapping(const std::string& order, const std::string& out, bool by_key) {
  Scope scope;
  const Output element = Floats(scope, {kStaged}), indices = Constant(scope, {0});
  std::vector<Output> keys;
  for (int64_t i = 0; i < kCalls; ++i) keys.push_back(Constant(scope, i * 37 % kCalls));
  ChainBuilder builder(scope);
  for (const Output& key : keys) builder.Add(order + "MapStage", {key, indices, element}, OfMap());
  for (const Output& key : keys) {
    builder.Add(order + out, by_key ? std::vector<Output>{key, indices} : std::vector<Output>{indices}, OfArea());
  }
  return Named(order + out, kAreas, scope, builder.last(), kCalls);
}

BenchGraph MappingAll(const std::string& order) {
  Scope scope;
  const Output element = Floats(scope, {kStaged}), indices = Constant(scope, {0});
  std::vector<NodeId> nodes;
  for (int64_t i = 0; i < kCalls; ++i) {
    nodes.push_back(scope.Add(order + "MapStage", {Constant(scope, i), indices, element}, OfMap()));
  }
  const auto behind = scope.After(nodes);
  return Named(order + "MapClear", kAreas, scope, scope.Add(order + "MapClear", {}, OfArea()), kCalls);
}

BenchGraph LookingAtMap(const std::string& op, const std::string& order, bool by_key) {
  Scope scope;
  const Output key = Constant<int64_t>(scope, 7), indices = Constant(scope, {0});
  const NodeId staged = scope.Add(order + "MapStage", {key, indices, Floats(scope, {kStaged})}, OfMap());
  return Beside(order + op, kAreas, scope, by_key ? std::vector<Output>{key, indices} : std::vector<Output>{}, OfArea(),
                {staged});
}

BenchGraph Locking() {
  Scope scope;
  const Output mutex = scope.Call("MutexV2", {});
  ChainBuilder builder(scope);
  for (int i = 0; i < kCalls; ++i) {
    const Output lock = OutputOf(scope, builder.Add("MutexLock", {mutex}), 0);
    builder.Add("ConsumeMutexLock", {lock});
  }
  return Named("MutexLock", kAreas, scope, builder.last(), kCalls);
}

}  // namespace

std::vector<BenchGraph> StagingGraphs() {
  std::vector<BenchGraph> rows = {Staging(), StagingAll(), LookingAtArea("StagePeek", true),
                                  LookingAtArea("StageSize", false), Locking()};
  for (const std::string order : {"", "Ordered"}) {
    rows.push_back(Mapping(order, "MapUnstage", true));
    rows.push_back(Mapping(order, "MapUnstageNoKey", false));
    rows.push_back(MappingAll(order));
    rows.push_back(LookingAtMap("MapPeek", order, true));
    rows.push_back(LookingAtMap("MapSize", order, false));
    rows.push_back(LookingAtMap("MapIncompleteSize", order, false));
  }
  return rows;
}

}  // namespace plumb::bench
