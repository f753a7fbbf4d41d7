// A graph for each op on checkpoints and vocabularies.
#include "bench/graphs/named.h"
#include "spec/files/file_system.h"

namespace plumb::bench {
namespace {

// Variables' worth of numbers, and what a checkpoint calls them.
struct Saved {
  std::vector<Output> tensors;
  std::vector<std::string> names;
  std::vector<DType> types;
};
Saved FourMegabytes(Scope& scope) {
  constexpr int kTensors = 16;
  constexpr int64_t kElements = 1 << 16;
  Saved saved;
  for (int i = 0; i < kTensors; ++i) {
    saved.tensors.push_back(Constant(scope, Zeros(DType::kFloat, {kElements})));
    saved.names.push_back(Str("tensor", i));
    saved.types.push_back(DType::kFloat);
  }
  return saved;
}

NodeId Save(Scope& scope, const std::string& path, const Saved& saved) {
  std::vector<Output> inputs = {Text(scope, path), Constant(scope, Texts(saved.names)),
                                Constant(scope, Texts(std::vector<std::string>(saved.names.size())))};
  inputs.insert(inputs.end(), saved.tensors.begin(), saved.tensors.end());
  return scope.Add("SaveV2", inputs, {{"dtypes", saved.types}});
}

BenchGraph Saving(const std::string& folder) {
  Scope scope;
  return Named("SaveV2", "checkpoint", scope, Save(scope, folder + "/saved", FourMegabytes(scope)));
}

BenchGraph Restoring(const std::string& folder) {
  Scope scope;
  const Saved saved = FourMegabytes(scope);
  const NodeId save = Save(scope, folder + "/restored", saved);
  const NodeId restore = scope.Add("RestoreV2",
                                   {Text(scope, folder + "/restored"), Constant(scope, Texts(saved.names)),
                                    Constant(scope, Texts(std::vector<std::string>(saved.names.size())))},
                                   {{"dtypes", saved.types}});
  BenchGraph bench = Named("RestoreV2", "checkpoint", scope, restore);
  bench.inits = {scope.NameOf(save)};
  return bench;
}

constexpr int64_t kOldRows = 10'000, kOldColumns = 64;

// The format of the first version, in one file.
BenchGraph SavingOld(const std::string& folder) {
  Scope scope;
  const Saved saved = FourMegabytes(scope);
  std::vector<Output> inputs = {Text(scope, folder + "/old"), Constant(scope, Texts(saved.names))};
  inputs.insert(inputs.end(), saved.tensors.begin(), saved.tensors.end());
  return Named("Save", "checkpoint", scope, scope.Add("Save", inputs, {{"T", saved.types}}));
}

BenchGraph RestoringOld(const std::string& folder) {
  Scope scope;
  const Saved saved = FourMegabytes(scope);
  const Output path = Text(scope, folder + "/old_restored");
  std::vector<Output> inputs = {path, Constant(scope, Texts(saved.names))};
  inputs.insert(inputs.end(), saved.tensors.begin(), saved.tensors.end());
  const NodeId save = scope.Add("Save", inputs, {{"T", saved.types}});
  std::vector<NodeId> restored;
  for (const std::string& name : saved.names) {
    restored.push_back(scope.Add("Restore", {path, Text(scope, name)}, {{"dt", DType::kFloat}}));
  }
  BenchGraph bench = Named("Restore", "checkpoint", scope, scope.Group(restored), static_cast<double>(restored.size()));
  bench.inits = {scope.NameOf(save)};
  return bench;
}

std::string Vocabulary(const std::string& path, int64_t step) {
  std::string words;
  for (int64_t i = 0; i < kOldRows; ++i) words += Str("word", i * step % kOldRows, "\n");
  Files().Write(path, words);
  return path;
}

BenchGraph Renumbering(const std::string& folder) {
  Scope scope;
  const std::vector<Output> files = {Text(scope, Vocabulary(folder + "/new_words", 7)),
                                     Text(scope, Vocabulary(folder + "/old_words", 3))};
  const NodeId renumbered =
      scope.Add("GenerateVocabRemapping", files, {{"new_vocab_offset", 0}, {"num_new_vocab", kOldRows}});
  return Named("GenerateVocabRemapping", "checkpoint", scope, renumbered, kOldRows);
}

BenchGraph Rearranging(const std::string& folder) {
  Scope scope;
  const Output path = Text(scope, folder + "/rearranged");
  const Output none = Constant(scope, Texts({""})), name = Constant(scope, Texts({"matrix"}));
  const NodeId save = scope.Add("SaveV2", {path, name, none, Floats(scope, {kOldRows, kOldColumns})},
                                {{"dtypes", std::vector<DType>{DType::kFloat}}});
  const Output rows = Values<int64_t>(scope, kOldRows, [](int64_t i) { return i * 7 % kOldRows; });
  const Output columns = Constant(scope, Zeros(DType::kInt64, {0}));
  const NodeId loaded =
      scope.Add("LoadAndRemapMatrix", {path, Text(scope, "matrix"), rows, columns, Floats(scope, {0})},
                {{"num_rows", kOldRows}, {"num_cols", kOldColumns}});
  BenchGraph bench = Named("LoadAndRemapMatrix", "checkpoint", scope, loaded, kOldRows);
  bench.inits = {scope.NameOf(save)};
  return bench;
}

}  // namespace

std::vector<BenchGraph> CheckpointGraphs(const std::string& folder) {
  return {Saving(folder),       Restoring(folder),   SavingOld(folder),
          RestoringOld(folder), Renumbering(folder), Rearranging(folder)};
}

}  // namespace plumb::bench
