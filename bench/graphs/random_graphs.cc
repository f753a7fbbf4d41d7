// A graph for each op that draws numbers in a shape that it is given: a quarter of a million.
#include "bench/graphs/named.h"
#include "spec/files/file_system.h"

namespace plumb::bench {
namespace {

constexpr int32_t kDrawn = 1 << 18;
constexpr int kPhilox = 1;
const DType kF = DType::kFloat, kI = DType::kInt64;

using Inputs = std::vector<Output>;
using More = std::function<Inputs(Scope&)>;

Inputs Nothing(Scope&) { return {}; }
Inputs Limits(Scope& scope) { return {Constant<int64_t>(scope, -100), Constant<int64_t>(scope, 1000)}; }
// Of a normal distribution between two numbers.
Inputs Bounds(Scope& scope) {
  return {Constant(scope, 0.5f), Constant(scope, 2.0f), Constant(scope, -1.0f), Constant(scope, 4.0f)};
}
Inputs Rate(Scope& scope) { return {Constant(scope, 3.5f)}; }
Inputs Tries(Scope& scope) { return {Constant(scope, 20.0f), Constant(scope, 0.3f)}; }

// How an op is told where to begin: by attributes, by two seeds, by a key, or by the state in a variable.
enum class Start { kAttrs, kSeeds, kKey, kVariable };

struct Begun {
  Inputs before, after;  // inputs on both sides of the shape
  std::vector<NodeId> init;
};

Begun StoredState(Scope& scope) {
  const std::string name = "state";
  const Output state =
      scope.Call("VarHandleOp", {}, {{"dtype", kI}, {"shape", PartialShape({3})}, {"shared_name", name}});
  const NodeId init = scope.Add("AssignVariableOp", {state, Constant<int64_t>(scope, {1, 2, 3})});
  return {{state, Constant<int64_t>(scope, kPhilox)}, {}, {init}};
}

Begun BeginBy(Scope& scope, Start start) {
  if (start == Start::kSeeds) return {{}, {Constant<int64_t>(scope, {7, 3})}, {}};
  if (start == Start::kVariable) return StoredState(scope);
  if (start == Start::kAttrs) return {};
  return {{},
          {Constant(scope, MakeVector<uint64_t>({7})), Constant(scope, MakeVector<uint64_t>({3, 5})),
           Constant(scope, kPhilox)},
          {}};
}

AttrMap OfFloats() { return {{"dtype", kF}}; }

BenchGraph Drawing(const std::string& op, Start start, AttrMap attrs = OfFloats(), const More& more = Nothing) {
  Scope scope;
  Begun begun = BeginBy(scope, start);
  Inputs inputs = begun.before;
  inputs.push_back(Constant(scope, {kDrawn}));
  for (const Inputs& list : {begun.after, more(scope)}) inputs.insert(inputs.end(), list.begin(), list.end());
  if (start == Start::kAttrs) attrs.insert({{"seed", 7}, {"seed2", 3}});
  BenchGraph bench = Named(op, "random", scope, scope.Add(op, inputs, std::move(attrs)), kDrawn);
  for (const NodeId init : begun.init) bench.inits.push_back(scope.NameOf(init));
  return bench;
}

BenchGraph Entropy() {
  Scope scope;
  return Named("NonDeterministicInts", "random", scope,
               scope.Add("NonDeterministicInts", {Constant(scope, {kDrawn})}, {{"dtype", kI}}), kDrawn);
}

BenchGraph Skipping(const std::string& op, bool reads) {
  Scope scope;
  const Begun stored = StoredState(scope);
  Inputs inputs = {stored.before[0]};
  if (reads) inputs.insert(inputs.end(), {Constant(scope, kPhilox), Constant(scope, MakeScalar<uint64_t>(9))});
  if (!reads) inputs.insert(inputs.end(), {stored.before[1], Constant<int64_t>(scope, 9)});
  return Beside(op, "random", scope, inputs, {}, stored.init);
}

BenchGraph SplittingSeeds(const std::string& op) {
  Scope scope;
  return Beside(op, "random", scope, {Constant<int64_t>(scope, {7, 3})});
}

// Pairs of words from a text of ten thousand. Graphs may hold the op up to version 18.
BenchGraph Neighbours(const std::string& folder) {
  std::string text;
  for (int i = 0; i < 10'000; ++i) text += Str("word", i * 7919 % 997, " ");
  Files().Write(folder + "/text", text);
  constexpr int kPairs = 1000;
  BenchGraph bench;
  bench.name = "Skipgram";
  bench.family = "random";
  bench.items = kPairs;
  NodeDef pairs;
  pairs.name = "pairs";
  pairs.op = "Skipgram";
  pairs.attrs = {{"filename", folder + "/text"}, {"batch_size", kPairs}, {"min_count", 1}};
  bench.graph.nodes = {pairs};
  bench.graph.versions.producer = 18;
  bench.targets = {pairs.name};
  return bench;
}

}  // namespace

std::vector<BenchGraph> RandomGraphs(const std::string& folder) {
  const AttrMap bits = {{"dtype", DType::kUint64}};
  return {Drawing("RandomUniform", Start::kAttrs),
          Drawing("RandomStandardNormal", Start::kAttrs),
          Drawing("TruncatedNormal", Start::kAttrs),
          Drawing("RandomUniformInt", Start::kAttrs, {}, Limits),
          Drawing("RandomGamma", Start::kAttrs, {}, Rate),
          Drawing("RandomPoissonV2", Start::kAttrs, OfFloats(), Rate),
          Drawing("ParameterizedTruncatedNormal", Start::kAttrs, {}, Bounds),
          Drawing("StatelessRandomUniform", Start::kSeeds),
          Drawing("StatelessRandomUniformInt", Start::kSeeds, {}, Limits),
          Drawing("StatelessRandomUniformFullInt", Start::kSeeds, bits),
          Drawing("StatelessRandomNormal", Start::kSeeds),
          Drawing("StatelessTruncatedNormal", Start::kSeeds),
          Drawing("StatelessParameterizedTruncatedNormal", Start::kSeeds, {}, Bounds),
          Drawing("StatelessRandomPoisson", Start::kSeeds, OfFloats(), Rate),
          Drawing("StatelessRandomBinomial", Start::kSeeds, OfFloats(), Tries),
          Drawing("StatelessRandomGammaV2", Start::kSeeds, {}, Rate),
          Drawing("StatelessRandomUniformV2", Start::kKey),
          Drawing("StatelessRandomUniformIntV2", Start::kKey, {}, Limits),
          Drawing("StatelessRandomUniformFullIntV2", Start::kKey, bits),
          Drawing("StatelessRandomNormalV2", Start::kKey),
          Drawing("StatelessTruncatedNormalV2", Start::kKey),
          Drawing("StatelessRandomGammaV3", Start::kKey, {}, Rate),
          Drawing("StatefulUniform", Start::kVariable),
          Drawing("StatefulUniformInt", Start::kVariable, {}, Limits),
          Drawing("StatefulUniformFullInt", Start::kVariable, bits),
          Drawing("StatefulStandardNormalV2", Start::kVariable),
          Drawing("StatefulTruncatedNormal", Start::kVariable),
          Drawing("StatefulRandomBinomial", Start::kVariable, OfFloats(), Tries),
          Entropy(),
          Skipping("RngReadAndSkip", true),
          Skipping("RngSkip", false),
          SplittingSeeds("StatelessRandomGetKeyCounter"),
          SplittingSeeds("StatelessRandomGetKeyCounterAlg"),
          Neighbours(folder)};
}

}  // namespace plumb::bench
