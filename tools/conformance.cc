// `plumb conformance`: compares the backends with the reference and with what TensorFlow answered.
#include <unistd.h>

#include <cstdio>

#include "conformance/golden/run.h"
#include "conformance/suites/ops.h"
#include "spec/formats/file.h"
#include "tools/commands.h"

namespace plumb::tools {
namespace {

using conformance::CaseResult;
using conformance::FileResults;
using conformance::Outcome;
using conformance::Totals;

// The ledger beside the cases when it is there, or the one of the source tree that this program was built in.
std::string FindLedger(const std::string& folder) {
  char self[4096];
  const ssize_t length = readlink("/proc/self/exe", self, sizeof(self));
  const std::string program(self, length > 0 ? static_cast<size_t>(length) : 0);
  const std::string root = program.substr(0, program.rfind("/build/"));
  for (const std::string& path : {folder + "/deviations.txt", root + "/conformance/deviations.txt"}) {
    if (access(path.c_str(), R_OK) == 0) return path;
  }
  return "";
}

void PrintHeader() {
  std::printf("%-44s %-10s %8s %8s %12s %11s\n", "file", "backend", "passed", "failed", "unsupported", "deviations");
}

void PrintRow(const std::string& name, const std::string& backend, const Totals& totals) {
  std::printf("%-44s %-10s %8ld %8ld %12ld %11ld\n", name.c_str(), backend.c_str(), totals.passed, totals.failed,
              totals.unsupported, totals.deviations);
}

void PrintFailures(const FileResults& file, bool unsupported_too) {
  for (const CaseResult& result : file.cases) {
    if (result.outcome != Outcome::kFailed && !(unsupported_too && result.outcome == Outcome::kUnsupported)) continue;
    std::printf("  %s %s %s\n      %s%s%s\n", std::string(OutcomeName(result.outcome)).c_str(), result.backend.c_str(),
                result.name.c_str(), result.gate.c_str(), result.gate.empty() ? "" : ": ", result.detail.c_str());
  }
}

class Golden : public Command {
 public:
  const char* name() const override { return "golden"; }
  const char* help() const override { return "Replays cases recorded from TensorFlow and prints a table per file."; }
  void Declare(Options& options) override {
    options.Argument("dir", &golden_.folder, "folder of *.golden.gz files");
    options.Option("--backend", &golden_.backends, "reference or cpu; may be repeated (default: both)");
    options.Option("--filter", &golden_.worker.filter, "only cases whose name contains this (* and ? allowed)");
    options.Option("--report", &report_, "write the results to this JSON file");
    options.Option("--deviations", &ledger_, "ledger of known deviations");
    options.Option("--jobs", &golden_.jobs, "processes at a time");
    options.Option("--timeout", &timeout_, "seconds that a case may take");
    options.Flag("-v,--verbose", &verbose_, "say where and how each failing case fails");
    options.Flag("--unsupported", &unsupported_, "also say what each unsupported case lacks");
  }
  int Run() override {
    if (golden_.backends.empty()) golden_.backends = {"reference", "cpu"};
    golden_.worker.case_timeout = std::chrono::seconds(timeout_);
    const std::string ledger_path = ledger_.empty() ? FindLedger(golden_.folder) : ledger_;
    conformance::Ledger ledger =
        ledger_path.empty() ? conformance::Ledger() : conformance::Ledger(ReadFile(ledger_path));
    PrintHeader();
    const auto files = RunGolden(golden_, &ledger, [&](const FileResults& file) { Print(file); });
    for (const std::string& backend : golden_.backends) PrintTotals(files, backend);
    if (!report_.empty()) WriteFile(report_, ReportJson(files));
    if (golden_.worker.filter.empty()) {
      for (const std::string& line : ledger.Unused(golden_.backends)) {
        std::printf("deviations: no case needs the line %s\n", line.c_str());
      }
    }
    return TotalsOf(files).failed == 0 ? 0 : 1;
  }

 private:
  void Print(const FileResults& file) const {
    const Totals totals = conformance::TotalsOf({file});
    if (!file.cases.empty()) PrintRow(file.file, file.backend, totals);
    if (verbose_ || unsupported_) PrintFailures(file, unsupported_);
    std::fflush(stdout);
  }
  void PrintTotals(const std::vector<FileResults>& files, const std::string& backend) const {
    Totals totals;
    for (const FileResults& file : files) {
      if (file.backend != backend) continue;
      for (const CaseResult& result : file.cases) totals.Count(result);
    }
    PrintRow("total", backend, totals);
  }

  conformance::GoldenOptions golden_;
  std::string report_, ledger_;
  int timeout_ = 120;
  bool verbose_ = false, unsupported_ = false;
};

class OpsSuite : public Command {
 public:
  const char* name() const override { return "ops"; }
  const char* help() const override {
    return "Compares a backend with the reference on every op and type, with inputs drawn from the catalogue.";
  }
  void Declare(Options& options) override {
    options.Option("--backend", &backend_, "the backend to compare");
    options.Option("--filter", &ops_.filter, "only these ops: Conv2D, 'Max*', 'Add/T=float32'");
    options.Option("--seed", &seed_, "of the inputs");
    options.Option("--rounds", &ops_.rounds, "seeds per op and type");
    options.Option("--report", &report_, "write the results to this JSON file");
    options.Flag("-v,--verbose", &verbose_, "also say what was not compared, and why");
  }
  int Run() override {
    ops_.seed = static_cast<uint64_t>(seed_);
    std::printf("%-36s %-30s %-12s %6s %9s %9s %12s %6s\n", "op", "type", "outcome", "cases", "compared", "sharp",
                "error/bound", "bias");
    std::vector<FileResults> results(1);
    RunOps(conformance::FindBackend(backend_), ops_, [&](const conformance::OpResult& result) {
      Print(result);
      const std::string case_name = result.op + (result.type.empty() ? "" : "/" + result.type);
      results[0].cases.push_back({case_name, backend_, result.outcome, result.gate, result.detail});
    });
    const Totals totals = TotalsOf(results);
    std::printf("%ld passed, %ld failed, %ld unsupported\n", totals.passed, totals.failed, totals.unsupported);
    if (!report_.empty()) WriteFile(report_, ReportJson(results));
    return totals.failed == 0 ? 0 : 1;
  }

 private:
  void Print(const conformance::OpResult& result) const {
    const bool failed = result.outcome == Outcome::kFailed;
    if (result.outcome == Outcome::kUnsupported && !verbose_) return;
    std::printf("%-36s %-30s %-12s %6d %9ld %9ld %12.3g %6.1f\n", result.op.c_str(), result.type.c_str(),
                std::string(OutcomeName(result.outcome)).c_str(), result.cases, result.compared, result.sharp,
                result.worst, result.bias);
    if (failed || verbose_) {
      if (!result.detail.empty()) std::printf("      %s %s\n", result.gate.c_str(), result.detail.c_str());
    }
    std::fflush(stdout);
  }

  conformance::OpsOptions ops_;
  std::string backend_ = "cpu";
  int seed_ = 1;
  std::string report_;
  bool verbose_ = false;
};

class Conformance : public Command {
 public:
  const char* name() const override { return "conformance"; }
  const char* help() const override { return "Compares the backends with the reference and with TensorFlow."; }
  void Declare(Options&) override {}
  int Run() override { return 0; }
  std::vector<Command*> subcommands() override { return {&golden_, &ops_}; }

 private:
  Golden golden_;
  OpsSuite ops_;
};

}  // namespace

Command& ConformanceCommand() {
  static Conformance command;
  return command;
}

}  // namespace plumb::tools
