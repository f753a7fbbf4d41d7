// A step that has a GPU do next to nothing, and waits for it.
#include <vector>

#include "tools/gpu_bench/gpu_bench.h"
#include "tools/gpu_bench/gpu_bench_program.h"

namespace plumb::tools {
namespace {

BenchResult NullStep(BenchCard& card, bool has_graphs) {
  BenchProgram program(card.backend(), Shape({1}), DType::kFloat, has_graphs);
  const double seconds =
      program.SecondsOfOneStep([](BenchProgram& made) { return made.scope().Add("Relu", {made.Held("x")}); });
  return {.seconds = seconds, .ceiling = Ceiling::kRoundTrip, .share = card.ceilings().round_trip / seconds};
}

}  // namespace

std::vector<Bench> StepBenches() {
  return {{"steps", "null step", [](BenchCard& card) { return NullStep(card, true); }},
          {"steps", "null step, kernels one by one", [](BenchCard& card) { return NullStep(card, false); }}};
}

}  // namespace plumb::tools
