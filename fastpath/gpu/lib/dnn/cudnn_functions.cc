#include "fastpath/gpu/lib/dnn/cudnn_functions.h"

#include "spec/core/status.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

constexpr size_t kMajor = 9;
constexpr char kWhatToDo[] = "; install cuDNN 9 for this version of CUDA, or put its folder on LD_LIBRARY_PATH";

// Version 9.19.0 is 91900; until 8 it was 8907 for 8.9.7.
std::string NameOf(size_t version) {
  const size_t major = version >= 10000 ? 10000 : 1000;
  return Str(version / major, ".", version % major / 100, ".", version % 100);
}

template <class Function>
Function* Required(FindFunction find, const char* name, const std::string& version) {
  auto* const function = reinterpret_cast<Function*>(find(name));  // NOLINT: what dlsym is for
  if (function != nullptr) return function;
  throw Error(Code::kUnavailable,
              Str("cuDNN", version.empty() ? "" : " ", version, " has no function ", name, kWhatToDo));
}

}  // namespace

CudnnFunctions LoadCudnn() {
  std::string why;
  FindFunction const find = OpenCudnn(&why);
  if (find == nullptr) throw Error(Code::kUnavailable, Str("cuDNN cannot be loaded: ", why, kWhatToDo));
  CudnnFunctions found;
  found.cudnnGetVersion = Required<decltype(GPU_NAMESPACE::cudnnGetVersion)>(find, "cudnnGetVersion", "");
  const size_t version = found.cudnnGetVersion();
  found.version = NameOf(version);
  if (version / 10000 != kMajor) {
    throw Error(Code::kUnavailable, Str("cuDNN is of version ", found.version, ", not ", kMajor, kWhatToDo));
  }
#define PLUMB_FIND(name) found.name = Required<decltype(GPU_NAMESPACE::name)>(find, #name, found.version);
  PLUMB_CUDNN_FUNCTIONS(PLUMB_FIND)
  PLUMB_CUDNN_GRAPH_FUNCTIONS(PLUMB_FIND)
#undef PLUMB_FIND
  return found;
}

}  // namespace plumb::fast::GPU_NAMESPACE
