// What the module for cards shows to the program that loads it (open.cc).
#include "fastpath/gpu/gpu_device.h"
#include "fastpath/gpu/lib/dnn/dnn_engines.h"
#include "fastpath/gpu/module/open.h"
#include "fastpath/gpu/runtime/measure.h"

namespace gpu = plumb::fast::GPU_NAMESPACE;

extern "C" void PlumbOpenCards(int most, plumb::fast::HostKernelFactory host_kernel,
                               std::vector<std::unique_ptr<plumb::fast::Device>>* devices) {
  *devices = gpu::OpenDevices(most, host_kernel);
}

extern "C" void PlumbDescribeCards(std::vector<plumb::fast::CardDescription>* cards) {
  const int count = gpu::CudaDriver()->devices();
  for (int number = 0; number < count; ++number) {
    cudaDeviceProp card;
    gpu::Check(cudaGetDeviceProperties(&card, number), "to describe a GPU");
    cards->push_back({static_cast<const char*>(card.name), static_cast<int64_t>(card.totalGlobalMem), card.major,
                      card.minor, card.multiProcessorCount});
  }
}

extern "C" void PlumbDescribeConvolutions(std::string* words) { *words = gpu::DnnEngines(0).Describe(); }

extern "C" plumb::fast::CardCeilings PlumbMeasureCeilings(int64_t bytes) { return gpu::MeasureCeilings(bytes); }

extern "C" double PlumbMeasureProduct(plumb::DType type, int64_t side) { return gpu::MeasureProduct(type, side); }
