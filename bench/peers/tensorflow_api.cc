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
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw std::runtime_error(dlerror());
  Find(library, "TF_NewStatus", NewStatus);
  Find(library, "TF_GetCode", GetCode);
  Find(library, "TF_Message", Message);
  Find(library, "TF_NewBufferFromString", NewBufferFromString);
  Find(library, "TF_DeleteBuffer", DeleteBuffer);
  Find(library, "TF_NewGraph", NewGraph);
  Find(library, "TF_DeleteGraph", DeleteGraph);
  Find(library, "TF_NewImportGraphDefOptions", NewImportGraphDefOptions);
  Find(library, "TF_DeleteImportGraphDefOptions", DeleteImportGraphDefOptions);
  Find(library, "TF_GraphImportGraphDef", GraphImportGraphDef);
  Find(library, "TF_GraphOperationByName", GraphOperationByName);
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
}

}  // namespace plumb::peers
