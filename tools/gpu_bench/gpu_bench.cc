// `plumb gpu-bench`: how fast a card is, and how much of that kernels and steps get out of it.
#include "tools/gpu_bench/gpu_bench.h"

#include <chrono>
#include <cstdio>
#include <regex>

#include "spec/core/status.h"
#include "spec/files/file.h"
#include "tools/commands.h"
#include "tools/gpu_bench/gpu_bench_report.h"

namespace plumb::tools {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kElements = 1 << 26, kSide = 8192;
constexpr int kFewElements = 512, kSmallSide = 16;

class GpuBench : public Command {
 public:
  const char* name() const override { return "gpu-bench"; }
  const char* help() const override {
    return "Times kernels, steps and training on a GPU beside what the card can do.";
  }
  void Declare(Options& options) override {
    options.Option("--backend", &backend_, "gpu, or gpu-emulated, where the figures mean nothing");
    options.Option("--elements", &elements_, "of each operand of a kernel; 0: 2^26, or 512 with --small");
    options.Option("--side", &side_, "of the matrices of a product; 0: 8192, or 16 with --small");
    options.Flag("--small", &is_small_, "next to nothing to do for each kernel, to try them all");
    options.Option("--only", &only_, "benches whose 'GROUP: NAME' this regular expression is found in");
    options.Flag("--list", &is_list_, "say which benches there are, as 'GROUP: NAME'");
    options.Option("--seconds", &seconds_, "begin no bench later than this; 0: as long as it takes");
    options.Option("--report", &report_, "write the figures to this JSON file");
  }

  int Run() override {
    const BenchSizes sizes = {.elements = elements_ != 0 ? elements_
                                          : is_small_    ? kFewElements
                                                         : kElements,
                              .side = side_ != 0  ? side_
                                      : is_small_ ? kSmallSide
                                                  : kSide,
                              .is_small = is_small_};
    Require(sizes.elements > 0 && sizes.side > 0, "--elements and --side are positive, or 0 for the usual sizes");
    const std::vector<Bench> chosen = Chosen();
    if (is_list_) {
      for (const Bench& bench : chosen) std::printf("%s: %s\n", bench.group.c_str(), bench.name.c_str());
      return 0;
    }
    const std::string no_gpu = ListDevices().no_gpu;
    if (backend_ == "gpu" && !no_gpu.empty()) throw Error(Code::kUnavailable, no_gpu);
    BenchCard card(backend_, sizes);
    return RunAll(chosen, card);
  }

 private:
  std::vector<Bench> Chosen() const {
    std::vector<Bench> chosen;
    try {
      const std::regex only(only_);
      for (const Bench& bench : AllBenches()) {
        if (std::regex_search(bench.group + ": " + bench.name, only)) chosen.push_back(bench);
      }
    } catch (const std::regex_error& error) {
      throw InvalidArgument("--only ", only_, " is no regular expression: ", error.what());
    }
    Require(!chosen.empty(), "no bench is called so that --only ", only_, " finds it; --list says which there are");
    return chosen;
  }

  // The report is whole after each bench, as the next one may take the process with it. What fails is a line.
  int RunAll(const std::vector<Bench>& chosen, BenchCard& card) const {
    const Clock::time_point start = Clock::now();
    std::vector<BenchResult> results;
    bool all_well = true, were_ceilings_told = false;
    for (const Bench& bench : chosen) {
      const bool is_late = seconds_ > 0 && std::chrono::duration<double>(Clock::now() - start).count() > seconds_;
      results.push_back(is_late ? BenchResult{.group = bench.group, .name = bench.name, .error = "not run: out of time"}
                                : ResultOf(bench, card));
      if (card.has_ceilings() && !were_ceilings_told) {
        Print(card.ceilings());
        were_ceilings_told = true;
      }
      Print(results.back());
      all_well = all_well && results.back().error.empty();
      if (!report_.empty()) WriteFile(report_, ReportJson(card, results));
    }
    return all_well ? 0 : 1;
  }

  std::string backend_ = "gpu", only_ = ".", report_;
  int elements_ = 0, side_ = 0;
  double seconds_ = 0;
  bool is_small_ = false, is_list_ = false;
};

}  // namespace

const CardCeilings& BenchCard::ceilings() {
  if (!ceilings_) ceilings_ = MeasureCeilings(backend_, sizes_.elements * static_cast<int64_t>(sizeof(float)));
  return *ceilings_;
}

double BenchCard::operations() {
  if (operations_ == 0) {
    const auto side = static_cast<double>(sizes_.side);
    operations_ = 2 * side * side * side / MeasureProduct(backend_, DType::kFloat, sizes_.side);
  }
  return operations_;
}

std::vector<Bench> AllBenches() {
  std::vector<Bench> all;
  for (const auto& benches : {StepBenches(), TrainingBenches(), ProductBenches(), KernelBenches(), CopyBenches()}) {
    all.insert(all.end(), benches.begin(), benches.end());
  }
  return all;
}

BenchResult ResultOf(const Bench& bench, BenchCard& card) {
  BenchResult result;
  try {
    result = bench.run(card);
  } catch (const Error& error) {
    result.error = error.status().ToString();
  } catch (const std::exception& error) {
    result.error = Str("threw ", error.what());
  }
  result.group = bench.group;
  result.name = bench.name;
  return result;
}

Command& GpuBenchCommand() {
  static GpuBench command;
  return command;
}

}  // namespace plumb::tools
