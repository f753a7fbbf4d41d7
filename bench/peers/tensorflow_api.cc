#include "bench/peers/tensorflow_api.h"

#include <dlfcn.h>

#include <stdexcept>

namespace plumb::peers {
namespace {

template <class Function>
void Find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function == nullptr) throw std::runtime_error(std::string("TensorFlow's library has no ") + name);
}

}  // namespace

TensorFlowApi::TensorFlowApi(const std::string& path) {
  // Deep: it brings libraries of its own that a program may have in other versions.
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
  if (library == nullptr) throw std::runtime_error(dlerror());
  Find(library, "TF_NewStatus", NewStatus);
  Find(library, "TF_DeleteStatus", DeleteStatus);
  Find(library, "TF_GetCode", GetCode);
  Find(library, "TF_Message", Message);
  Find(library, "TF_NewBufferFromString", NewBufferFromString);
  Find(library, "TF_DeleteBuffer", DeleteBuffer);
  Find(library, "TF_GetRegisteredKernelsForOp", GetRegisteredKernelsForOp);
  Find(library, "TF_NewGraph", NewGraph);
  Find(library, "TF_DeleteGraph", DeleteGraph);
  Find(library, "TF_NewImportGraphDefOptions", NewImportGraphDefOptions);
  Find(library, "TF_DeleteImportGraphDefOptions", DeleteImportGraphDefOptions);
  Find(library, "TF_GraphImportGraphDef", GraphImportGraphDef);
  Find(library, "TF_GraphOperationByName", GraphOperationByName);
  Find(library, "TF_OperationNumOutputs", OperationNumOutputs);
  Find(library, "TF_NewSessionOptions", NewSessionOptions);
  Find(library, "TF_DeleteSessionOptions", DeleteSessionOptions);
  Find(library, "TF_SetConfig", SetConfig);
  Find(library, "TF_NewSession", NewSession);
  Find(library, "TF_CloseSession", CloseSession);
  Find(library, "TF_DeleteSession", DeleteSession);
  Find(library, "TF_SessionRun", SessionRun);
  Find(library, "TF_AllocateTensor", AllocateTensor);
  Find(library, "TF_DeleteTensor", DeleteTensor);
  Find(library, "TF_TensorData", TensorData);
  Find(library, "TF_TensorByteSize", TensorByteSize);
  Find(library, "TF_TensorType", TensorType);
  Find(library, "TF_NumDims", NumDims);
  Find(library, "TF_Dim", Dim);
  Find(library, "TF_StringInit", StringInit);
  Find(library, "TF_StringCopy", StringCopy);
  Find(library, "TF_StringGetDataPointer", StringGetDataPointer);
  Find(library, "TF_StringGetSize", StringGetSize);
}

// ConfigProto with device_count (1) { "CPU": cpus }, intra_op (2) and inter_op (5) threads and, unless optimizers are
// wanted, graph_options (10) { optimizer_options (3) { opt_level (3): -1 }, rewrite_options (10) {
// disable_meta_optimizer (19): true } }.
std::string SessionConfig(int threads, int cpus, bool optimizers) {
  std::string config = std::string("\x0a\x07\x0a\x03") + "CPU" + '\x10' + static_cast<char>(cpus);
  config += {0x10, static_cast<char>(threads), 0x28, static_cast<char>(threads)};
  if (optimizers) return config;
  const std::string level = std::string("\x18") + std::string(9, '\xff') + '\x01';
  const std::string rewrite = std::string("\x98\x01\x01", 3);
  const std::string options = std::string("\x1a") + static_cast<char>(level.size()) + level + std::string("\x52") +
                              static_cast<char>(rewrite.size()) + rewrite;
  return config + std::string("\x52") + static_cast<char>(options.size()) + options;
}

}  // namespace plumb::peers
