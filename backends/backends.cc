#include "backends/backends.h"

#include <algorithm>
#include <charconv>
#include <climits>

#include "backends/library/library.h"
#include "fastpath/cpu/cpu_device.h"
#include "fastpath/gpu/module/open.h"
#include "fastpath/session/fast_session.h"
#include "mpi/session/mpi_session.h"
#include "reference/kernel/op_context.h"
#include "reference/session.h"
#include "spec/graph/function_calls.h"
#include "spec/ops/catalogue.h"

namespace plumb {
namespace {

constexpr std::string_view kEmulatedGpu = "gpu-emulated";
constexpr std::string_view kNames[] = {"reference", "cpu", "sim", kEmulatedGpu};  // the last one where it is there

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
                 "'; there are: reference, cpu, sim, gpu, gpu:N, gpu-emulated, mpi, and shared libraries by their "
                 "path, as in ./libmine.so");
}

// "gpu": all cards; "gpu:1": all up to that one, the first two. 0 for other names.
int CardsOf(std::string_view backend) {
  constexpr std::string_view kCards = "gpu";
  if (backend == kCards) return INT_MAX;
  if (!backend.starts_with("gpu:")) return 0;
  int cards = 0;
  const std::string_view number = backend.substr(kCards.size() + 1);
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), cards);
  return error == std::errc() && end == number.data() + number.size() ? cards + 1 : 0;
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
  if (backend == kEmulatedGpu || CardsOf(backend) > 0) {
    SessionOptions with_gpus = options;
    with_gpus.gpu_devices = CardsOf(backend);
    with_gpus.emulated_gpus = backend == kEmulatedGpu ? std::max(1, options.emulated_gpus) : 0;
    return fast::NewFastSession(with_gpus);
  }
  ThrowUnknown(backend);
}

std::string DeviceOf(std::string_view backend) {
  if (backend == "sim") return "/device:SIM:0";
  if (backend == kEmulatedGpu) return "/device:GPU:0";
  const int cards = CardsOf(backend);
  if (cards == 0) return "";
  return Str("/device:GPU:", cards == INT_MAX ? 0 : cards - 1);
}

std::span<const std::string_view> BackendNames() {
  return std::span(kNames).first(std::size(kNames) - (fast::HasEmulatedGpus() ? 0 : 1));
}

bool IsImplemented(std::string_view backend, std::string_view op) {
  const OpDef* const row = FindOp(op);
  if (row == nullptr) return false;
  if (library::IsLibrary(backend)) return library::Library::Open(backend).HasKernel(op, {});
  if (IsExecutorRule(row->kind)) return true;
  if (IsTransfer(row->kind)) return true;
  if (backend == "reference") return reference::FindKernel(op) != nullptr;
  const bool has_cpu = backend == "cpu" || backend == "sim" || backend == "mpi" || backend == kEmulatedGpu;
  if (has_cpu || CardsOf(backend) > 0) return fast::FindCpuKernel(op) != nullptr;
  ThrowUnknown(backend);
}

bool HasGpuKernel(std::string_view op) {
  const OpDef* const row = FindOp(op);
  return row != nullptr && (fast::RunsOnEveryDevice(row->kind) || fast::HasGpuKernel(op));
}

bool HasGpuKernelFor(std::string_view op, const AttrMap& types) {
  if (!HasGpuKernel(op)) return false;
  Node node;
  node.op = FindOp(op);
  node.attrs = types;
  return fast::RunsOnEveryDevice(node.op->kind) || fast::HasDeclaredGpuTypes(node);
}

}  // namespace plumb
