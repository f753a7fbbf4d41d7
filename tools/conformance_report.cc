#include <unistd.h>

#include <cstdio>

#include "spec/core/status.h"
#include "spec/files/file.h"
#include "tools/conformance.h"

namespace plumb::tools {
namespace {

constexpr char kFloorFile[] = "conformance/floor.json";

}  // namespace

std::string ProjectPath(const std::string& inside) {
  char self[4096];
  const ssize_t length = readlink("/proc/self/exe", self, sizeof(self));
  const std::string program(self, length > 0 ? static_cast<size_t>(length) : 0);
  const std::string path = program.substr(0, program.rfind("/build/")) + "/" + inside;
  return access(path.c_str(), R_OK) == 0 ? path : "";
}

void FloorFile::Declare(Options& options) {
  options.Flag("--raise-floor", &raise_, "write what this full run reached to conformance/floor.json where it is more");
}

void FloorFile::Hold(const std::map<std::string, conformance::Reached>& runs, conformance::Summary* summary) const {
  const std::string path = ProjectPath(kFloorFile);
  conformance::Floor floor = path.empty() ? conformance::Floor() : conformance::Floor(ReadFile(path));
  HoldAgainst(floor, runs, summary);
  for (const auto& [run, reached] : runs) {
    if (floor.HeldTo(run).empty() && !raise_)
      std::printf("floor: none for '%s' yet; --raise-floor sets it\n", run.c_str());
  }
  if (!raise_ || !summary->green()) return;
  Require(!path.empty(), "there is no ", kFloorFile, " beside this program, so no floor to raise");
  bool raised = false;
  for (const auto& [run, reached] : runs) raised |= floor.Raise(run, reached);
  if (raised) WriteFile(path, floor.ToJson());
  std::printf("floor: %s\n", raised ? "raised" : "as it was");
}

void FloorFile::Skip() const { Require(!raise_, "only a full run over the project's own cases can raise the floor"); }

void PrintFailure(const conformance::CaseResult& result) {
  std::printf("      %s%s%s\n", result.gate.c_str(), result.gate.empty() ? "" : ": ", result.detail.c_str());
  if (!result.reproduce.empty()) std::printf("      again: %s\n", result.reproduce.c_str());
}

int Finish(const conformance::Summary& summary) {
  for (const conformance::CaseResult& result : summary.failed) {
    std::printf("FAILED: %s on %s\n", result.name.c_str(), result.backend.c_str());
    PrintFailure(result);
  }
  for (const std::string& objection : summary.objections) std::printf("NOT GREEN: %s\n", objection.c_str());
  return summary.ExitCode();
}

}  // namespace plumb::tools
