#include "backends/backends.h"

#include <algorithm>

#include "fastpath/execute/reference_kernels.h"
#include "fastpath/session/fast_session.h"
#include "reference/op_context.h"
#include "reference/session.h"

namespace plumb {
namespace {

constexpr std::string_view kNames[] = {"reference", "cpu"};

// Rules of both executors rather than kernels (rules X1–X37).
constexpr std::string_view kExecutorOps[] = {"Switch",        "RefSwitch",        "Merge",   "RefMerge",
                                             "Enter",         "RefEnter",         "Exit",    "RefExit",
                                             "NextIteration", "RefNextIteration", "LoopCond"};

// Rules of the reference alone: the fast path makes its own Sends and Recvs, and takes none from a graph.
constexpr std::string_view kTransferOps[] = {"_Send", "_Recv"};

template <size_t n>
bool Contains(const std::string_view (&ops)[n], std::string_view op) {
  return std::find(std::begin(ops), std::end(ops), op) != std::end(ops);
}

[[noreturn]] void ThrowUnknown(std::string_view backend) {
  throw NotFound("no backend is called '", backend, "'; there are: reference, cpu");
}

}  // namespace

std::unique_ptr<Session> OpenSession(std::string_view backend, const SessionOptions& options) {
  if (backend == "reference") return NewReferenceSession(options);
  if (backend == "cpu") return fast::NewFastSession(options);
  ThrowUnknown(backend);
}

std::span<const std::string_view> BackendNames() { return kNames; }

bool IsImplemented(std::string_view backend, std::string_view op) {
  if (Contains(kExecutorOps, op)) return true;
  if (backend == "reference") return Contains(kTransferOps, op) || reference::FindKernel(op) != nullptr;
  if (backend == "cpu") return fast::FindKernel(op) != nullptr;
  ThrowUnknown(backend);
}

}  // namespace plumb
