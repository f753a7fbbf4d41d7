#include "backends/backends.h"

#include <algorithm>

#include "backends/library/library.h"
#include "fastpath/cpu/cpu_device.h"
#include "fastpath/session/fast_session.h"
#include "mpi/session/mpi_session.h"
#include "reference/kernel/op_context.h"
#include "reference/session.h"
#include "spec/graph/function_calls.h"
#include "spec/ops/catalogue.h"

namespace plumb {
namespace {

constexpr std::string_view kNames[] = {"reference", "cpu", "sim"};

// Rules of both executors rather than kernels (rules X1–X37, FN5–FN8).
bool IsExecutorRule(OpKind kind) {
  if (IsCall(kind)) return true;
  switch (kind) {
    case OpKind::kSwitch:
    case OpKind::kMerge:
    case OpKind::kEnter:
    case OpKind::kExit:
    case OpKind::kNextIteration:
    case OpKind::kLoopCond:
      return true;
    default:
      return false;
  }
}

// Kernels that any device has.
bool IsTransfer(OpKind kind) { return kind == OpKind::kSend || kind == OpKind::kRecv; }

[[noreturn]] void ThrowUnknown(std::string_view backend) {
  throw NotFound("no backend is called '", backend,
                 "'; there are: reference, cpu, sim, mpi, and shared libraries by their path, as in ./libmine.so");
}

}  // namespace

std::unique_ptr<Session> OpenSession(std::string_view backend, const SessionOptions& options) {
  if (backend == "reference") return NewReferenceSession(options);
  if (backend == "cpu") return fast::NewFastSession(options);
  if (backend == "mpi") return dist::OpenMpiSession(options);
  if (library::IsLibrary(backend)) return library::NewLibrarySession(backend, options);
  if (backend == "sim") {
    SessionOptions accelerated = options;
    accelerated.sim_devices = std::max(1, options.sim_devices);
    return fast::NewFastSession(accelerated);
  }
  ThrowUnknown(backend);
}

std::span<const std::string_view> BackendNames() { return kNames; }

bool IsImplemented(std::string_view backend, std::string_view op) {
  const OpDef* const row = FindOp(op);
  if (row == nullptr) return false;
  if (library::IsLibrary(backend)) return library::Library::Open(backend).HasKernel(op, {});
  if (IsExecutorRule(row->kind)) return true;
  if (IsTransfer(row->kind)) return true;
  if (backend == "reference") return reference::FindKernel(op) != nullptr;
  if (backend == "cpu" || backend == "sim" || backend == "mpi") return fast::FindCpuKernel(op) != nullptr;
  ThrowUnknown(backend);
}

}  // namespace plumb
