// A machine without GPUs, whose kernels the fuzz targets do without.
#include "fastpath/gpu/module/open.h"

namespace plumb::fast {

std::vector<std::unique_ptr<Device>> OpenCards(int, HostKernelFactory) {
  throw Error(Code::kUnavailable, "no GPU can be used: this program was linked without");
}
std::vector<std::unique_ptr<Device>> OpenEmulatedGpus(int, HostKernelFactory) { return OpenCards(0, nullptr); }

}  // namespace plumb::fast
