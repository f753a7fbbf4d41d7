// The part of TensorFlow's C API that the comparison needs, looked up in the wheel's library at run time, so that
// building Plumb needs nothing of TensorFlow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace plumb::peers {

struct TF_Status;
struct TF_Graph;
struct TF_Session;
struct TF_SessionOptions;
struct TF_ImportGraphDefOptions;
struct TF_Operation;
struct TF_Tensor;
struct TF_Buffer {
  const void* data;
  size_t length;
  void (*data_deallocator)(void* data, size_t length);
};
struct TF_Output {
  TF_Operation* oper;
  int index;
};
struct TF_TString {
  uint64_t words[3];
};

struct TensorFlowApi {
  // Throws std::runtime_error when the library or a function of it is missing.
  explicit TensorFlowApi(const std::string& library);

  TF_Status* (*NewStatus)();
  void (*DeleteStatus)(TF_Status*);
  int (*GetCode)(const TF_Status*);
  const char* (*Message)(const TF_Status*);
  TF_Buffer* (*NewBufferFromString)(const void*, size_t);
  void (*DeleteBuffer)(TF_Buffer*);
  TF_Buffer* (*GetRegisteredKernelsForOp)(const char*, TF_Status*);
  TF_Graph* (*NewGraph)();
  void (*DeleteGraph)(TF_Graph*);
  TF_ImportGraphDefOptions* (*NewImportGraphDefOptions)();
  void (*DeleteImportGraphDefOptions)(TF_ImportGraphDefOptions*);
  void (*GraphImportGraphDef)(TF_Graph*, const TF_Buffer*, const TF_ImportGraphDefOptions*, TF_Status*);
  TF_Operation* (*GraphOperationByName)(TF_Graph*, const char*);
  int (*OperationNumOutputs)(TF_Operation*);
  TF_SessionOptions* (*NewSessionOptions)();
  void (*DeleteSessionOptions)(TF_SessionOptions*);
  void (*SetConfig)(TF_SessionOptions*, const void*, size_t, TF_Status*);
  TF_Session* (*NewSession)(TF_Graph*, const TF_SessionOptions*, TF_Status*);
  void (*CloseSession)(TF_Session*, TF_Status*);
  void (*DeleteSession)(TF_Session*, TF_Status*);
  void (*SessionRun)(TF_Session*, const TF_Buffer*, const TF_Output*, TF_Tensor* const*, int, const TF_Output*,
                     TF_Tensor**, int, const TF_Operation* const*, int, TF_Buffer*, TF_Status*);
  TF_Tensor* (*AllocateTensor)(int dtype, const int64_t* dims, int rank, size_t bytes);
  void (*DeleteTensor)(TF_Tensor*);
  void* (*TensorData)(const TF_Tensor*);
  size_t (*TensorByteSize)(const TF_Tensor*);
  int (*TensorType)(const TF_Tensor*);
  int (*NumDims)(const TF_Tensor*);
  int64_t (*Dim)(const TF_Tensor*, int);
  void (*StringInit)(TF_TString*);
  void (*StringCopy)(TF_TString*, const char*, size_t);
  const char* (*StringGetDataPointer)(const TF_TString*);
  size_t (*StringGetSize)(const TF_TString*);
};

// A serialised ConfigProto: so many CPUs and threads, and graph optimizers or none.
std::string SessionConfig(int threads, int cpus, bool optimizers);

}  // namespace plumb::peers
