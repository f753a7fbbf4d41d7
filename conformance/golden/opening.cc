#include "conformance/golden/opening.h"

#include "conformance/compare/verdict.h"
#include "conformance/process/forked.h"

namespace plumb::conformance {

std::optional<CaseResult> FailureToOpen(const Backend& backend, std::chrono::milliseconds silence) {
  const ForkedResult forked = RunForked([&](const Answer&) { backend.open(); }, silence);
  if (!forked.thrown.ok()) throw Error(forked.thrown);
  if (forked.failure.empty()) return std::nullopt;
  return CaseResult{"opening", backend.name, Outcome::kFailed, std::string(GateName(Gate::kCrash)), forked.failure};
}

}  // namespace plumb::conformance
