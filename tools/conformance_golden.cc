// `plumb conformance golden`: recorded cases, on the backends.
#include <unistd.h>

#include <cstdio>
#include <filesystem>

#include "backends/library/library.h"
#include "conformance/golden/run.h"
#include "spec/files/file.h"
#include "tools/conformance.h"

namespace plumb::tools {
namespace {

using conformance::CaseResult;
using conformance::FileResults;
using conformance::Outcome;
using conformance::Totals;

// The ledger beside the cases when it is there, or the project's own.
std::string FindLedger(const std::string& folder) {
  const std::string beside = folder + "/deviations.txt";
  return access(beside.c_str(), R_OK) == 0 ? beside : ProjectPath("conformance/deviations.txt");
}

void PrintHeader() {
  std::printf("%-44s %-10s %8s %8s %12s %11s\n", "file", "backend", "passed", "failed", "unsupported", "deviations");
}

void PrintRow(const std::string& name, const std::string& backend, const Totals& totals) {
  std::printf("%-44s %-10s %8ld %8ld %12ld %11ld\n", name.c_str(), backend.c_str(), totals.passed, totals.failed,
              totals.unsupported, totals.deviations);
}

class Golden : public Command {
 public:
  const char* name() const override { return "golden"; }
  const char* help() const override { return "Replays cases recorded from TensorFlow and prints a table per file."; }
  void Declare(Options& options) override {
    options.Argument("dir", &golden_.folder, "folder of *.golden.gz files");
    options.Option("--backend", &golden_.backends,
                   "reference, cpu, sim, gpu-emulated, gpu, gpu:N or the path of a library; may be repeated (default: "
                   "the first two)");
    options.Option("--filter", &golden_.worker.filter, "only cases whose name contains this (* and ? allowed)");
    options.Option("--report", &report_, "write the results to this JSON file");
    options.Option("--deviations", &ledger_, "ledger of known deviations");
    options.Option("--jobs", &golden_.jobs, "processes at a time");
    options.Option("--timeout", &timeout_, "seconds that a case may take");
    options.Flag("-v,--verbose", &verbose_,
                 "also say what differs in each deviation, and which values are aliases of variables");
    options.Flag("--unsupported", &unsupported_, "also say what each unsupported case lacks");
    floor_.Declare(options);
  }
  int Run() override {
    if (golden_.backends.empty()) golden_.backends = {"reference", "cpu"};
    golden_.worker.case_timeout = std::chrono::seconds(timeout_);
    const std::string ledger_path = ledger_.empty() ? FindLedger(golden_.folder) : ledger_;
    if (ledger_path.empty()) {
      std::printf(
          "no ledger of deviations: none beside the cases, and no checkout of the project; --deviations FILE names "
          "one\n");
    }
    conformance::Ledger ledger =
        ledger_path.empty() ? conformance::Ledger() : conformance::Ledger(ReadFile(ledger_path));
    PrintHeader();
    const auto files = RunGolden(golden_, &ledger, [&](const FileResults& file) { Print(file); });
    for (const std::string& backend : golden_.backends) PrintRow("total", backend, TotalsOf(files, backend));
    if (!report_.empty()) WriteFile(report_, ReportJson(files));
    conformance::Summary summary = Summarize(files, golden_.backends);
    if (IsFull()) {
      HoldAgainst(ledger, golden_.backends, &summary);
      floor_.Hold(ReachedBy(files), &summary);
    } else {
      floor_.Skip();
    }
    return Finish(summary);
  }

 private:
  // All of the project's own cases.
  bool IsFull() const {
    const std::string own = ProjectPath("conformance/golden/cases");
    std::error_code unknown;
    return golden_.worker.filter.empty() && !own.empty() && std::filesystem::equivalent(golden_.folder, own, unknown);
  }

  std::map<std::string, conformance::Reached> ReachedBy(const std::vector<FileResults>& files) const {
    std::map<std::string, conformance::Reached> runs;
    for (const FileResults& file : files) {
      if (library::IsLibrary(file.backend)) continue;  // the floor is of our own
      const Totals totals = conformance::TotalsOf({file});
      conformance::CountsByName& reached = runs["golden " + file.backend].by_name;
      reached["passed"][file.file] += totals.passed;
      reached["settled"][file.file] += totals.compared - totals.by_chance;
    }
    return runs;
  }

  void Print(const FileResults& file) const {
    if (!file.cases.empty()) PrintRow(file.file, file.backend, conformance::TotalsOf({file}));
    for (const CaseResult& result : file.cases) {
      if (verbose_) PrintAliases(result);
      const bool told = result.outcome == Outcome::kFailed || (verbose_ && result.outcome == Outcome::kDeviation) ||
                        (unsupported_ && result.outcome == Outcome::kUnsupported);
      if (!told) continue;
      std::printf("  %s %s %s\n", std::string(OutcomeName(result.outcome)).c_str(), result.backend.c_str(),
                  result.name.c_str());
      PrintFailure(result);
    }
    std::fflush(stdout);
  }

  static void PrintAliases(const CaseResult& result) {
    if (result.aliases.empty()) return;
    std::printf("  aliases %s %s:", result.backend.c_str(), result.name.c_str());
    for (const std::string& fetch : result.aliases) std::printf(" %s", fetch.c_str());
    std::printf("\n");
  }

  conformance::GoldenOptions golden_;
  std::string report_, ledger_;
  FloorFile floor_;
  int timeout_ = 120;
  bool verbose_ = false, unsupported_ = false;
};

}  // namespace

Command& GoldenCommand() {
  static Golden command;
  return command;
}

}  // namespace plumb::tools
