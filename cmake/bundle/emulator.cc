// In the place of the emulated GPUs, which are for machines without a card: their kernels, and the emulator, are a
// tenth of the program.
#include "fastpath/gpu/module/open.h"
#include "spec/ops/catalogue.h"

namespace plumb::fast::emulated_gpu {
namespace {

[[noreturn]] void ThrowThatThereAreNone() {
  throw Error(Code::kUnavailable,
              "there are no emulated GPUs in a bundle, which is for cards: use the backend gpu, or build Plumb with "
              "./dev build");
}

}  // namespace

bool IsThere() { return false; }

std::vector<std::unique_ptr<Device>> OpenDevices(int, HostKernelFactory) { ThrowThatThereAreNone(); }

// What the module has a kernel for has types in its row.
bool HasKernelFor(std::string_view op) {
  const OpDef* const row = FindOp(op);
  return row != nullptr && row->gpu_types.has_value();
}

CardCeilings MeasureCeilings(int64_t) { ThrowThatThereAreNone(); }
double MeasureProduct(DType, int64_t) { ThrowThatThereAreNone(); }

}  // namespace plumb::fast::emulated_gpu
