#include "fastpath/gpu/module/open.h"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdlib>

namespace plumb::fast {
namespace emulated_gpu {

bool IsThere();
std::vector<std::unique_ptr<Device>> OpenDevices(int most, HostKernelFactory host_kernel);
bool HasKernelFor(std::string_view op);
CardCeilings MeasureCeilings(int64_t bytes);
double MeasureProduct(DType type, int64_t side);

}  // namespace emulated_gpu

namespace {

constexpr char kModule[] = "libplumb_gpu.so";

// A bundle's program has been unpacked into memory, by what says where it lies (cmake/bundle/launcher.cc).
std::string BesideProgram() {
  char program[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", program, sizeof(program));
  std::string path(program, static_cast<size_t>(std::max<ssize_t>(length, 0)));
  const char* const unpacked = path.starts_with("/memfd:") ? std::getenv("PLUMB_BUNDLE") : nullptr;
  if (unpacked != nullptr) path = unpacked;
  return path.substr(0, path.rfind('/') + 1) + kModule;
}

// It stays loaded: devices, which may outlive a session, run its code.
void* LoadModule() {
  const std::string path = BesideProgram();
  if (access(path.c_str(), R_OK) != 0) {
    throw Error(Code::kUnavailable,
                Str("no GPU can be used: ", path, " is missing; a build makes it where CUDA's toolkit (nvcc) is"));
  }
  void* const module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (module != nullptr) return module;
  const char* const why = dlerror();
  throw Error(Code::kUnavailable, Str("no GPU can be used: a library is missing or of another version (",
                                      why == nullptr ? "" : why, "); put CUDA's libraries on LD_LIBRARY_PATH"));
}

// A function that the module shows.
template <class Function>
Function* Shown(const char* name) {
  static void* const module = LoadModule();
  auto* const function = reinterpret_cast<Function*>(dlsym(module, name));  // NOLINT: what dlsym is for
  if (function == nullptr) {
    throw Error(Code::kUnavailable, Str("no GPU can be used: ", BesideProgram(),
                                        " is of another version than the "
                                        "program"));
  }
  return function;
}

}  // namespace

std::vector<std::unique_ptr<Device>> OpenCards(int most, HostKernelFactory host_kernel) {
  std::vector<std::unique_ptr<Device>> devices;
  Shown<void(int, HostKernelFactory, std::vector<std::unique_ptr<Device>>*)>("PlumbOpenCards")(most, host_kernel,
                                                                                               &devices);
  return devices;
}

std::vector<CardDescription> DescribeCards() {
  std::vector<CardDescription> cards;
  Shown<void(std::vector<CardDescription>*)>("PlumbDescribeCards")(&cards);
  return cards;
}

std::string DescribeConvolutions() {
  std::string words;
  Shown<void(std::string*)>("PlumbDescribeConvolutions")(&words);
  return words;
}

CardCeilings MeasureCeilings(bool is_emulated, int64_t bytes) {
  if (is_emulated) return emulated_gpu::MeasureCeilings(bytes);
  return Shown<CardCeilings(int64_t)>("PlumbMeasureCeilings")(bytes);
}

double MeasureProduct(bool is_emulated, DType type, int64_t side) {
  if (is_emulated) return emulated_gpu::MeasureProduct(type, side);
  return Shown<double(DType, int64_t)>("PlumbMeasureProduct")(type, side);
}

std::vector<std::unique_ptr<Device>> OpenEmulatedGpus(int count, HostKernelFactory host_kernel) {
  return emulated_gpu::OpenDevices(count, host_kernel);
}

bool HasEmulatedGpus() { return emulated_gpu::IsThere(); }

bool HasGpuKernel(std::string_view op) { return emulated_gpu::HasKernelFor(op); }

}  // namespace plumb::fast
