#include "backends/backends.h"

#include <algorithm>

#include "fastpath/device/kernel.h"
#include "fastpath/session/fast_session.h"
#include "reference/op_context.h"
#include "reference/session.h"

namespace plumb {
namespace {

constexpr std::string_view kNames[] = {"reference", "cpu"};

// Rules of both executors rather than kernels (rules X1–X37).
constexpr std::string_view kExecutorOps[] = {"Switch",           "RefSwitch", "Merge",   "RefMerge", "Enter",
                                             "RefEnter",         "Exit",      "RefExit", "_Send",    "NextIteration",
                                             "RefNextIteration", "_Recv",     "LoopCond"};

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
  if (std::find(std::begin(kExecutorOps), std::end(kExecutorOps), op) != std::end(kExecutorOps)) return true;
  if (backend == "reference") return reference::FindKernel(op) != nullptr;
  if (backend == "cpu") return fast::FindCpuKernel(op) != nullptr;
  ThrowUnknown(backend);
}

}  // namespace plumb
