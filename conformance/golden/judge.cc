#include "conformance/golden/judge.h"

#include "backends/backends.h"
#include "backends/library/library.h"
#include "conformance/golden/play.h"
#include "conformance/golden/race.h"
#include "conformance/golden/replay.h"
#include "spec/ops/catalogue.h"

namespace plumb::conformance {
namespace {

// Nodes whose types somebody else's backend does not declare.
std::string UndeclaredTypes(const GraphDef& graph, const Backend& backend) {
  std::string undeclared;
  for (const NodeDef& node : graph.nodes) {
    if (backend.declares(node.op, node.attrs)) continue;
    undeclared += Str(undeclared.empty() ? "" : ", ", node.op, " (no kernel for the types of '", node.name, "')");
  }
  return undeclared;
}

// What the case needs and the backend lacks; empty: nothing.
std::string MissingFor(const GoldenCase& golden, const Backend& backend) {
  std::string missing;
  for (const std::string& op : golden.ops) {
    const bool known = FindOp(op) != nullptr;
    if (known && backend.implements(op)) continue;
    missing += Str(missing.empty() ? "" : ", ", op, known ? " (no kernel)" : "");
  }
  if (missing.empty() && backend.declares) missing = UndeclaredTypes(golden.graph, backend);
  return missing;
}

}  // namespace

Backend FindBackend(const std::string& name) {
  SessionOptions options;
  options.allow_soft_placement = true;
  Backend backend{name, [=] { return OpenSession(name, options); },
                  [=](std::string_view op) { return IsImplemented(name, op); }};
  if (!library::IsLibrary(name)) backend.device = DeviceOf(name);
  // The kernels of simulated accelerators are the CPU's, which are tried there; what is between is the same each time.
  if (name == "sim") {
    backend.rounds = 1;
    backend.borrows_kernels = true;
  }
  if (name.starts_with("gpu")) backend.has_on_device = HasGpuKernelFor;
  if (library::IsLibrary(name)) {
    backend.declares = [=](std::string_view op, const AttrMap& types) {
      return library::Library::Open(name).HasKernel(op, types);
    };
  }
  return backend;
}

CaseResult JudgeCase(const GoldenCase& golden, const Backend& backend) {
  const auto failed = [&](const std::string& detail) {
    return CaseResult{golden.name, backend.name, Outcome::kFailed, std::string(GateName(Gate::kStatus)), detail};
  };
  try {
    const std::string missing = MissingFor(golden, backend);
    if (!missing.empty()) return {golden.name, backend.name, Outcome::kUnsupported, "", missing};
    if (!golden.contents_status.ok()) return failed("unreadable: " + golden.contents_status.ToString());
    CaseResult result = golden.observed.empty() ? JudgeReplay(golden, backend) : JudgeRace(golden, backend);
    if (DrawsByChance(golden)) result.by_chance = result.compared;
    return result;
  } catch (const Error& error) {
    return failed(error.status().ToString());
  }
}

}  // namespace plumb::conformance
