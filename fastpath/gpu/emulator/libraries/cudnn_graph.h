// What the fake of cuDNN has behind the descriptors of its graphs, and the engines that it has for them.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "fastpath/gpu/emulator/libraries/cudnn_convolution.h"
#include "fastpath/gpu/lib/dnn/cudnn_graph_abi.h"

namespace plumb::fast::emulated_gpu::emulator {

// An engine, its knobs turned, and what becomes of it.
struct EngineOffered {
  int64_t number = 0;
  std::vector<std::pair<cudnnBackendKnobType_t, int64_t>> knobs = {};
  std::vector<cudnnBackendNumericalNote_t> notes = {};
  bool is_compiled_first = false;
  size_t workspace = 0;
  int64_t microseconds = 0;
  cudnnStatus_t planned = CUDNN_STATUS_SUCCESS;   // of a plan that is finalized
  cudnnStatus_t executed = CUDNN_STATUS_SUCCESS;  // of a call
};
// Best first, as these heuristics think, who are wrong: the fastest come last, after those that a program may not want.
std::vector<EngineOffered> EnginesOffered(const Convolved& it, cudnnDataType_t type, cudnnBackendHeurMode_t mode);

// A convolution that an operation describes.
struct GraphConvolution {
  Pass pass = Pass::kForward;
  cudnnDataType_t type = CUDNN_DATA_FLOAT;
  Convolved it;
  int64_t x = 0, w = 0, y = 0;  // names of tensors
  int64_t alignment = 1;        // the largest of theirs
};

struct GraphDescriptor {
  struct Attribute {
    cudnnBackendAttributeType_t type;
    int64_t count = 0;
    std::vector<unsigned char> bytes;
    std::vector<std::shared_ptr<GraphDescriptor>> objects;
  };

  cudnnBackendDescriptorType_t type;
  bool is_final = false;
  std::map<cudnnBackendAttributeName_t, Attribute> attributes;
  // What follows from them, or from what the descriptor was filled with.
  GraphConvolution convolution;
  EngineOffered engine;
  std::pair<cudnnBackendKnobType_t, int64_t> knob;

  // The values of an attribute; none where it is not set.
  template <class T>
  std::vector<T> Values(cudnnBackendAttributeName_t name) const {
    const auto found = attributes.find(name);
    if (found == attributes.end()) return {};
    const T* const values = reinterpret_cast<const T*>(found->second.bytes.data());
    return {values, values + found->second.count};
  }
  // Null where it is not set.
  const GraphDescriptor* Object(cudnnBackendAttributeName_t name) const {
    const auto found = attributes.find(name);
    return found == attributes.end() || found->second.objects.empty() ? nullptr : found->second.objects[0].get();
  }
};

// Whether what the attributes say is whole, and what follows from it.
cudnnStatus_t FinalizeGraph(GraphDescriptor& descriptor);

}  // namespace plumb::fast::emulated_gpu::emulator
