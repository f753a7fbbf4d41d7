// Training steps on a GPU, with and without CUDA graphs; what they read lies on the card.
#include "spec/core/status.h"
#include "tools/gpu_bench/gpu_bench.h"
#include "tools/gpu_bench/gpu_bench_models.h"
#include "tools/gpu_bench/gpu_bench_program.h"

namespace plumb::tools {
namespace {

BenchResult TrainingStep(BenchCard& card, const BenchModel& row, bool has_graphs) {
  const bool is_small = card.sizes().is_small;
  BenchedModel model(card.backend(), row.Make(is_small), {.has_graphs = has_graphs});
  BenchResult result = {.amount = model.operations(), .ceiling = Ceiling::kProduct, .batch = row.BatchOf(is_small)};
  result.seconds = SecondsOfStep([&] { model.Step(); });
  result.share = result.amount / result.seconds / card.operations();
  result.notes = model.Notes();
  return result;
}

}  // namespace

std::vector<Bench> TrainingBenches() {
  std::vector<Bench> benches;
  for (const BenchModel& model : BenchModels()) {
    for (const bool has_graphs : {true, false}) {
      benches.push_back({model.name, Str("training step of ", model.name, has_graphs ? "" : ", kernels one by one"),
                         [&model, has_graphs](BenchCard& card) { return TrainingStep(card, model, has_graphs); }});
    }
  }
  return benches;
}

}  // namespace plumb::tools
