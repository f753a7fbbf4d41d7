// Descriptors of graphs of the fake of cuDNN, and the calls that have to do with them. What NVIDIA's refuses with
// another status of the same kind is refused with one of that kind.
#include "fastpath/gpu/emulator/libraries/cudnn_graph.h"

#include <algorithm>
#include <cstring>

#include "fastpath/gpu/emulator/world.h"

namespace plumb::fast::emulated_gpu {
namespace emulator {
namespace {

using Known = std::shared_ptr<GraphDescriptor>;

// Descriptors by their handles.
class GraphDescriptors {
 public:
  static GraphDescriptors& Get() {
    static GraphDescriptors& all = *new GraphDescriptors;
    return all;
  }

  cudnnBackendDescriptor_t Add(cudnnBackendDescriptorType_t type) {
    auto made = std::make_shared<GraphDescriptor>();
    made->type = type;
    MutexLock lock(mutex_);
    const cudnnBackendDescriptor_t handle = made.get();
    known_[handle] = std::move(made);
    return handle;
  }
  // Null for a handle that is not known.
  Known Find(cudnnBackendDescriptor_t handle) const {
    MutexLock lock(mutex_);
    const auto found = known_.find(handle);
    return found == known_.end() ? nullptr : found->second;
  }
  bool Remove(cudnnBackendDescriptor_t handle) {
    MutexLock lock(mutex_);
    return known_.erase(handle) > 0;
  }

 private:
  mutable Mutex mutex_;
  std::map<cudnnBackendDescriptor_t, Known> known_ PLUMB_GUARDED_BY(mutex_);
};

size_t BytesOf(cudnnBackendAttributeType_t type) {
  switch (type) {
    case CUDNN_TYPE_DATA_TYPE:
    case CUDNN_TYPE_FLOAT:
    case CUDNN_TYPE_CONVOLUTION_MODE:
    case CUDNN_TYPE_HEUR_MODE:
    case CUDNN_TYPE_KNOB_TYPE:
    case CUDNN_TYPE_NUMERICAL_NOTE:
    case CUDNN_TYPE_BEHAVIOR_NOTE:
      return sizeof(int);
    default:
      return sizeof(int64_t);
  }
}

// Of one hundred names each, what has them; operations have those from 700 to 799.
bool HasAttribute(cudnnBackendDescriptorType_t type, cudnnBackendAttributeName_t name) {
  static const std::map<int, cudnnBackendDescriptorType_t> owners = {
      {1, CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR}, {2, CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR},
      {3, CUDNN_BACKEND_ENGINECFG_DESCRIPTOR},   {4, CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR},
      {6, CUDNN_BACKEND_KNOB_CHOICE_DESCRIPTOR}, {8, CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR},
      {9, CUDNN_BACKEND_TENSOR_DESCRIPTOR},      {10, CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR},
      {13, CUDNN_BACKEND_ENGINE_DESCRIPTOR},
  };
  const int hundred = name / 100;
  if (hundred == 7) {
    constexpr int kOfEach = 6;
    const int operation = (name - CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA) / kOfEach;
    return type == (operation == 0   ? CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR
                    : operation == 1 ? CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR
                                     : CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR);
  }
  const auto found = owners.find(hundred);
  return found != owners.end() && found->second == type;
}

// What an attribute that is asked for is.
template <class T>
cudnnStatus_t Answer(const std::vector<T>& values, int64_t most, int64_t* count, void* elements) {
  const auto given = std::min(static_cast<int64_t>(values.size()), most);
  if (given > 0 && elements == nullptr) return CUDNN_STATUS_BAD_PARAM;
  if (given > 0) std::memcpy(elements, values.data(), static_cast<size_t>(given) * sizeof(T));
  *count = most == 0 ? static_cast<int64_t>(values.size()) : given;
  return CUDNN_STATUS_SUCCESS;
}

// `fill(descriptor, i)` fills the descriptors, which the caller has made.
template <class Fill>
cudnnStatus_t AnswerByObjects(size_t available, cudnnBackendDescriptorType_t type, int64_t most, int64_t* count,
                              void* elements, const Fill& fill) {
  *count = static_cast<int64_t>(available);
  if (most == 0) return CUDNN_STATUS_SUCCESS;
  if (elements == nullptr) return CUDNN_STATUS_BAD_PARAM;
  *count = std::min(*count, most);
  auto* const handles = static_cast<cudnnBackendDescriptor_t*>(elements);
  for (int64_t i = 0; i < *count; ++i) {
    const Known object = GraphDescriptors::Get().Find(handles[i]);
    if (object == nullptr || object->type != type || object->is_final) return CUDNN_STATUS_BAD_PARAM;
    fill(*object, static_cast<size_t>(i));
    object->is_final = true;
  }
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t AnswerOfHeuristics(const GraphDescriptor& asked, int64_t most, int64_t* count, void* elements) {
  const GraphConvolution& convolution = asked.convolution;
  const auto mode = asked.Values<cudnnBackendHeurMode_t>(CUDNN_ATTR_ENGINEHEUR_MODE)[0];
  const std::vector<EngineOffered> offered = EnginesOffered(convolution.it, convolution.type, mode);
  return AnswerByObjects(offered.size(), CUDNN_BACKEND_ENGINECFG_DESCRIPTOR, most, count, elements,
                         [&](GraphDescriptor& config, size_t i) {
                           config.convolution = convolution;
                           config.engine = offered[i];
                         });
}

cudnnStatus_t Asked(const GraphDescriptor& asked, cudnnBackendAttributeName_t name, int64_t most, int64_t* count,
                    void* elements) {
  using Notes = std::vector<cudnnBackendBehaviorNote_t>;
  const EngineOffered& engine = asked.engine;
  switch (name) {
    case CUDNN_ATTR_ENGINEHEUR_RESULTS:
      return AnswerOfHeuristics(asked, most, count, elements);
    case CUDNN_ATTR_ENGINECFG_ENGINE:
      return AnswerByObjects(1, CUDNN_BACKEND_ENGINE_DESCRIPTOR, most, count, elements,
                             [&](GraphDescriptor& object, size_t) { object.engine = engine; });
    case CUDNN_ATTR_ENGINECFG_KNOB_CHOICES:
      return AnswerByObjects(engine.knobs.size(), CUDNN_BACKEND_KNOB_CHOICE_DESCRIPTOR, most, count, elements,
                             [&](GraphDescriptor& object, size_t i) { object.knob = engine.knobs[i]; });
    case CUDNN_ATTR_KNOB_CHOICE_KNOB_TYPE:
      return Answer(std::vector{asked.knob.first}, most, count, elements);
    case CUDNN_ATTR_KNOB_CHOICE_KNOB_VALUE:
      return Answer(std::vector{asked.knob.second}, most, count, elements);
    case CUDNN_ATTR_ENGINE_GLOBAL_INDEX:
      return Answer(std::vector{engine.number}, most, count, elements);
    case CUDNN_ATTR_ENGINE_NUMERICAL_NOTE:
      return Answer(engine.notes, most, count, elements);
    case CUDNN_ATTR_ENGINE_BEHAVIOR_NOTE:
      return Answer(engine.is_compiled_first ? Notes{CUDNN_BEHAVIOR_NOTE_RUNTIME_COMPILATION} : Notes{}, most, count,
                    elements);
    case CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE:
      return Answer(std::vector{static_cast<int64_t>(engine.workspace)}, most, count, elements);
    default:
      return CUDNN_STATUS_NOT_SUPPORTED;
  }
}

// What a pack has under a name; null where it has nothing.
void* PointerOf(const GraphDescriptor& pack, int64_t name) {
  const auto names = pack.Values<int64_t>(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return nullptr;
  return pack.Values<void*>(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS)[static_cast<size_t>(found - names.begin())];
}

cudnnStatus_t Execute(cudnnHandle_t handle, const GraphDescriptor& plan, const GraphDescriptor& pack) {
  const GraphConvolution& convolution = plan.convolution;
  void* const x = PointerOf(pack, convolution.x);
  void* const w = PointerOf(pack, convolution.w);
  void* const y = PointerOf(pack, convolution.y);
  for (void* const pointer : {x, w, y}) {
    const bool is_aligned = reinterpret_cast<uintptr_t>(pointer) % static_cast<uintptr_t>(convolution.alignment) == 0;
    if (pointer == nullptr || !is_aligned) return CUDNN_STATUS_BAD_PARAM;
  }
  const auto workspaces = pack.Values<void*>(CUDNN_ATTR_VARIANT_PACK_WORKSPACE);
  void* const workspace = workspaces.empty() ? nullptr : workspaces[0];
  if (plan.engine.executed != CUDNN_STATUS_SUCCESS) return plan.engine.executed;
  const bool is_wide = convolution.type == CUDNN_DATA_DOUBLE;
  const float one = 1, zero = 0;
  const double wide_one = 1, wide_zero = 0;
  const void* const alpha = is_wide ? static_cast<const void*>(&wide_one) : &one;
  const void* const beta = is_wide ? static_cast<const void*>(&wide_zero) : &zero;
  const size_t bytes = plan.engine.workspace;
  const auto& notes = plan.engine.notes;
  emulator::Convolved it = convolution.it;
  it.as_tf32 = std::find(notes.begin(), notes.end(), CUDNN_NUMERICAL_NOTE_TENSOR_CORE) != notes.end();
  const auto queue = [&](const void* first, const void* second, void* result) {
    return QueueConvolution(handle, convolution.type, it, convolution.pass, bytes,
                            {alpha, first, second, workspace, bytes, beta, result}, plan.engine.microseconds);
  };
  const cudnnStatus_t status = convolution.pass == Pass::kForward    ? queue(x, w, y)
                               : convolution.pass == Pass::kToImages ? queue(w, y, x)
                                                                     : queue(x, y, w);
  if (status == CUDNN_STATUS_SUCCESS) {
    CudnnWorld::Get().Count([&](CudnnCalls& calls) { ++calls.engines[plan.engine.number]; });
  }
  return status;
}

}  // namespace
}  // namespace emulator

using emulator::GraphDescriptor;
using emulator::GraphDescriptors;

cudnnStatus_t cudnnBackendCreateDescriptor(cudnnBackendDescriptorType_t type, cudnnBackendDescriptor_t* descriptor) {
  if (descriptor == nullptr) return CUDNN_STATUS_BAD_PARAM;
  *descriptor = GraphDescriptors::Get().Add(type);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnBackendDestroyDescriptor(cudnnBackendDescriptor_t descriptor) {
  return GraphDescriptors::Get().Remove(descriptor) ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_BAD_PARAM;
}

cudnnStatus_t cudnnBackendSetAttribute(cudnnBackendDescriptor_t descriptor, cudnnBackendAttributeName_t name,
                                       cudnnBackendAttributeType_t type, int64_t count, const void* elements) {
  const auto set = GraphDescriptors::Get().Find(descriptor);
  if (set == nullptr || set->is_final || count < 1 || elements == nullptr) return CUDNN_STATUS_BAD_PARAM;
  if (!emulator::HasAttribute(set->type, name)) return CUDNN_STATUS_BAD_PARAM;
  GraphDescriptor::Attribute attribute{type, count, {}, {}};
  const auto* const bytes = static_cast<const unsigned char*>(elements);
  attribute.bytes.assign(bytes, bytes + static_cast<size_t>(count) * emulator::BytesOf(type));
  for (int64_t i = 0; type == CUDNN_TYPE_BACKEND_DESCRIPTOR && i < count; ++i) {
    auto object = GraphDescriptors::Get().Find(static_cast<const cudnnBackendDescriptor_t*>(elements)[i]);
    if (object == nullptr || !object->is_final) return CUDNN_STATUS_BAD_PARAM;
    attribute.objects.push_back(std::move(object));
  }
  set->attributes[name] = std::move(attribute);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnBackendFinalize(cudnnBackendDescriptor_t descriptor) {
  const auto whole = GraphDescriptors::Get().Find(descriptor);
  if (whole == nullptr || whole->is_final) return CUDNN_STATUS_BAD_PARAM;
  const cudnnStatus_t status = emulator::FinalizeGraph(*whole);
  whole->is_final = status == CUDNN_STATUS_SUCCESS;
  return status;
}

cudnnStatus_t cudnnBackendGetAttribute(cudnnBackendDescriptor_t descriptor, cudnnBackendAttributeName_t name,
                                       cudnnBackendAttributeType_t /*type*/, int64_t most, int64_t* count,
                                       void* elements) {
  const auto asked = GraphDescriptors::Get().Find(descriptor);
  if (asked == nullptr || !asked->is_final || most < 0 || count == nullptr) return CUDNN_STATUS_BAD_PARAM;
  if (!emulator::HasAttribute(asked->type, name)) return CUDNN_STATUS_BAD_PARAM;
  return emulator::Asked(*asked, name, most, count, elements);
}

cudnnStatus_t cudnnBackendExecute(cudnnHandle_t handle, cudnnBackendDescriptor_t plan, cudnnBackendDescriptor_t pack) {
  const auto run = GraphDescriptors::Get().Find(plan), data = GraphDescriptors::Get().Find(pack);
  if (handle == nullptr || run == nullptr || data == nullptr || !run->is_final || !data->is_final) {
    return CUDNN_STATUS_BAD_PARAM;
  }
  if (run->type != CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR || data->type != CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR) {
    return CUDNN_STATUS_BAD_PARAM;
  }
  return emulator::Execute(handle, *run, *data);
}

}  // namespace plumb::fast::emulated_gpu
