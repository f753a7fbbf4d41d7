// `plumb conformance ops`: every op and type, a backend against the reference.
#include <cstdio>

#include "backends/library/library.h"
#include "conformance/suites/ops.h"
#include "spec/core/status.h"
#include "spec/files/file.h"
#include "tools/conformance.h"

namespace plumb::tools {
namespace {

using conformance::Backend;
using conformance::Coverage;
using conformance::FileResults;
using conformance::OpResult;
using conformance::Outcome;
using conformance::Totals;
using conformance::TotalsOf;

class OpsSuite : public Command {
 public:
  const char* name() const override { return "ops"; }
  const char* help() const override {
    return "Compares a backend with the reference on every op and type, with inputs drawn from the catalogue.";
  }
  void Declare(Options& options) override {
    options.Option("--backend", &backends_,
                   "the backend to compare: reference, cpu, sim, gpu-emulated, gpu, gpu:N or the path of a library; "
                   "may be repeated (default: cpu)");
    options.Option(
        "--device", &device_,
        "pass only what ran on this device of it, by its traces (default: that of sim and of GPUs, else any)");
    options.Option("--filter", &ops_.filter, "only these ops: Conv2D, 'Max*', 'Add/T=float32'");
    options.Option("--seed", &seed_, "of the inputs");
    options.Option("--rounds", &ops_.rounds,
                   "seeds per op and type (0: three, or one for sim, which runs the kernels of cpu)");
    options.Option("--jobs", &ops_.jobs, "ops judged at once, each in processes of its own");
    options.Option("--timeout", &timeout_, "seconds that an op may take on one choice of types");
    options.Option("--report", &report_, "write the results to this JSON file");
    options.Flag("--elsewhere", &elsewhere_, "list the ops that ran on other devices only, and on which");
    options.Flag("-v,--verbose", &verbose_, "also say what was not compared or not drawn, and why");
    floor_.Declare(options);
  }
  int Run() override {
    Require(ops_.rounds >= 0, "--rounds ", ops_.rounds,
            " draws nothing: give the seeds per op and type, or 0 for as many as usual");
    ops_.seed = static_cast<uint64_t>(seed_);
    ops_.silence = std::chrono::seconds(timeout_);
    if (backends_.empty()) backends_ = {"cpu"};
    std::vector<Backend> backends;
    for (const std::string& name : backends_) {
      backends.push_back(conformance::FindBackend(name));
      if (!device_.empty()) backends.back().device = device_;
    }
    PrintHeader();
    const auto print = [&](const Backend& backend, const OpResult& result) { Print(backend, result); };
    const auto results = RunOpsOnEach(backends, ops_, print);
    std::vector<Judged> runs;
    for (size_t i = 0; i < backends.size(); ++i) runs.push_back(Tell(backends[i], results[i]));
    return Conclude(runs);
  }

 private:
  // What a run came to on one backend.
  struct Judged {
    FileResults results;
    conformance::CoverageByKind coverage;
    conformance::Counts passed;  // on how many choices of types, by op
    bool has_floor;
  };

  void PrintHeader() const {
    if (backends_.size() > 1) std::printf("%-10s ", "backend");
    std::printf("%-36s %-30s %-12s %6s %9s %9s %12s %6s\n", "op", "type", "outcome", "cases", "compared", "sharp",
                "error/bound", "bias");
  }

  void Print(const Backend& backend, const OpResult& result) const {
    const bool is_quiet =
        result.outcome == Outcome::kUnsupported || (result.outcome == Outcome::kElsewhere && !elsewhere_);
    if (is_quiet && !verbose_) return;
    if (backends_.size() > 1) std::printf("%-10s ", backend.name.c_str());
    std::printf("%-36s %-30s %-12s %6d %9ld %9ld %12.3g %6.1f\n", result.op.c_str(), result.type.c_str(),
                std::string(OutcomeName(result.outcome)).c_str(), result.cases, result.compared, result.sharp,
                result.worst, result.bias);
    const bool told = result.outcome == Outcome::kFailed || result.outcome == Outcome::kElsewhere ||
                      (verbose_ && !result.detail.empty());
    if (told) {
      PrintFailure({result.op, backend.name, result.outcome, result.gate, result.detail, 0, result.reproduce});
    }
    std::fflush(stdout);
  }

  Judged Tell(const Backend& backend, const std::vector<OpResult>& results) const {
    Judged judged{
        {"ops", backend.name, {}},
        {{"ops", OpsPassed(results)}, {"attributes", AttributesDrawn(results)}, {"choices", ChoicesTaken(results)}},
        {},
        ops_.filter.empty() && device_.empty() && !library::IsLibrary(backend.name)};
    for (const OpResult& result : results) {
      judged.results.cases.push_back(ToCase(result, backend));
      if (result.outcome == Outcome::kPassed) ++judged.passed[result.op];
    }
    if (backends_.size() > 1) std::printf("%s:\n", backend.name.c_str());
    PrintCoverage("values of attributes", "drawn", judged.coverage[1].second);
    PrintCoverage("sides of sizes that choose a path", "taken", judged.coverage[2].second);
    PrintTotals(TotalsOf({judged.results}), backend, judged.coverage[0].second);
    return judged;
  }

  // Writes what was asked for; the exit code.
  int Conclude(const std::vector<Judged>& runs) const {
    std::vector<FileResults> files;
    conformance::CoverageByKind coverage;  // of several backends: "ops cpu", …
    std::map<std::string, conformance::Reached> reached;
    for (const Judged& run : runs) {
      const std::string& backend = run.results.backend;
      files.push_back(run.results);
      conformance::Reached of_run{.counts = {}, .by_name = {{"passed", run.passed}}};
      for (const auto& [kind, of_kind] : run.coverage) {
        coverage.emplace_back(runs.size() > 1 ? kind + " " + backend : kind, of_kind);
        of_run.names[kind].insert(of_kind.covered.begin(), of_kind.covered.end());
      }
      if (run.has_floor) reached[FloorName(backend)] = of_run;
    }
    if (!report_.empty()) WriteFile(report_, ReportJson(files, coverage));
    conformance::Summary summary = Summarize(files, backends_);
    if (reached.empty()) {
      floor_.Skip();
    } else {
      floor_.Hold(reached, &summary);
    }
    if (runs.size() > 1) PrintSum(TotalsOf(files), device_);
    return Finish(summary);
  }

  // More seeds reach more, so such runs have the same floor; with fewer, a run has its own if any (Floor::HeldTo).
  std::string FloorName(const std::string& backend) const {
    const bool is_short = ops_.rounds > 0 && ops_.rounds < conformance::FindBackend(backend).rounds;
    return "ops " + backend + (is_short ? " --rounds " + std::to_string(ops_.rounds) : "");
  }

  static void PrintCoverage(const char* what, const char* done, const Coverage& coverage) {
    std::printf("%s: %zu %s, %zu refused by both sides, %zu not\n", what, coverage.covered.size(), done,
                coverage.refused.size(), coverage.missing.size());
    for (const std::string& name : coverage.refused) std::printf("  refused by both sides: %s\n", name.c_str());
    for (const std::string& name : coverage.missing) std::printf("  not %s: %s\n", done, name.c_str());
  }

  static void PrintTotals(const Totals& totals, const Backend& backend, const Coverage& ops) {
    if (!backend.device.empty()) {
      std::printf("on %s: %zu ops (%ld choices of types); elsewhere only: %zu ops (%ld); --elsewhere lists them\n",
                  backend.device.c_str(), ops.covered.size(), totals.passed, ops.missing.size(), totals.elsewhere);
    }
    PrintSum(totals, backend.device);
  }

  static void PrintSum(const Totals& totals, const std::string& device) {
    std::printf("%ld passed, %ld failed, %ld unsupported", totals.passed, totals.failed, totals.unsupported);
    if (!device.empty()) std::printf(", %ld elsewhere", totals.elsewhere);
    std::printf("\n");
  }

  conformance::OpsOptions ops_{.filter = "", .seed = 1};
  std::vector<std::string> backends_;
  std::string device_;
  int seed_ = 1, timeout_ = 120;
  std::string report_;
  FloorFile floor_;
  bool elsewhere_ = false, verbose_ = false;
};

}  // namespace

Command& OpsSuiteCommand() {
  static OpsSuite command;
  return command;
}

}  // namespace plumb::tools
