// A convolution as a graph of cuDNN's, whose engines are many more than there are algorithms: each with its knobs, as
// cuDNN's heuristics turn them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fastpath/gpu/lib/dnn/dnn_engines.h"

namespace plumb::fast::GPU_NAMESPACE {

// A descriptor. What cuDNN refuses of it is remembered: nothing more is asked of it then.
class GraphObject {
 public:
  GraphObject(const CudnnFunctions& cudnn, cudnnBackendDescriptorType_t type);
  ~GraphObject();
  GraphObject(GraphObject&& other) noexcept;
  GraphObject& operator=(GraphObject&&) = delete;

  template <class T>
  void Set(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, const std::vector<T>& values) {
    SetArray(name, type, static_cast<int64_t>(values.size()), values.data());
  }
  void Set(cudnnBackendAttributeName_t name, const GraphObject& other);
  // At most `most` elements.
  template <class T>
  std::vector<T> Get(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, int most) const {
    std::vector<T> values(static_cast<size_t>(most));
    values.resize(GetArray(name, type, most, values.data()));
    return values;
  }
  // How many of the objects, which are of one type, were filled.
  size_t Get(cudnnBackendAttributeName_t name, std::vector<GraphObject>& objects) const;
  // Whether it is whole.
  bool Finalize();
  cudnnBackendDescriptor_t get() const { return descriptor_; }

 private:
  void SetArray(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, int64_t count, const void* values);
  size_t GetArray(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, int most, void* values) const;

  const CudnnFunctions* cudnn_;
  cudnnBackendDescriptor_t descriptor_ = nullptr;
  cudnnStatus_t status_;
};

// One engine with its knobs, ready to be run, and what it was made from: cuDNN does not say that a plan has copies of
// it.
struct GraphPlan {
  std::shared_ptr<const std::vector<GraphObject>> parts;
  GraphObject config;
  GraphObject plan;
};

// The engines that may compute the problem (dnn_engines.h), best first as cuDNN thinks, without those that it would
// have to compile first; `in_one_order`: without those whose sums may be others next time. None where it refuses such a
// graph.
std::vector<DnnEngine> GraphEngines(const CudnnFunctions& cudnn, cudnnHandle_t handle, const DnnProblem& problem,
                                    bool in_one_order);
// Queues the work on the handle's stream.
cudnnStatus_t QueueGraph(const CudnnFunctions& cudnn, cudnnHandle_t handle, const DnnEngine& engine, DnnPass pass,
                         const DnnOperands& operands, void* workspace);

}  // namespace plumb::fast::GPU_NAMESPACE
