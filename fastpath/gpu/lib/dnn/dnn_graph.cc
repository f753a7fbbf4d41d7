#include "fastpath/gpu/lib/dnn/dnn_graph.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "fastpath/gpu/lib/dnn/dnn_plan.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// Of so many, whoever tries them finds a good one, and the first step stays short.
constexpr size_t kMostEngines = 8;
// Of results of the heuristics, most of which take float for TF32.
constexpr int kMostResults = 64;

// The operands' names in a graph.
enum : int64_t { kX = 1, kW = 2, kY = 3 };

// An operation of a pass: its descriptor, and its attributes.
struct Operation {
  cudnnBackendDescriptorType_t type;
  cudnnBackendAttributeName_t alpha, beta, convolution, w, x, y;
};
constexpr Operation OperationOf(DnnPass pass) {
  switch (pass) {
    case DnnPass::kForward:
      return {CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR,
              CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA,
              CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA,
              CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC,
              CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W,
              CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X,
              CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y};
    case DnnPass::kToImages:
      return {CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY};
    default:
      return {CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_ALPHA,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_BETA,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY};
  }
}

std::vector<int64_t> Widened(const std::vector<int>& numbers) { return {numbers.begin(), numbers.end()}; }

GraphObject TensorOf(const CudnnFunctions& cudnn, const DnnProblem& problem, int64_t name,
                     const std::vector<int>& sizes) {
  GraphObject tensor(cudnn, CUDNN_BACKEND_TENSOR_DESCRIPTOR);
  tensor.Set<cudnnDataType_t>(CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, {DataTypeOf(problem.type)});
  tensor.Set(CUDNN_ATTR_TENSOR_DIMENSIONS, CUDNN_TYPE_INT64, Widened(sizes));
  tensor.Set(CUDNN_ATTR_TENSOR_STRIDES, CUDNN_TYPE_INT64, Widened(StridesOf(sizes, problem.channels_first)));
  tensor.Set<int64_t>(CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, {name});
  tensor.Set<int64_t>(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, CUDNN_TYPE_INT64, {kDnnAlignment});
  tensor.Finalize();
  return tensor;
}

GraphObject ConvolutionOf(const CudnnFunctions& cudnn, const DnnProblem& problem) {
  GraphObject made(cudnn, CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR);
  const std::vector<int64_t> padding = Widened(problem.padding);
  made.Set<int64_t>(CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, CUDNN_TYPE_INT64, {static_cast<int64_t>(padding.size())});
  made.Set<cudnnDataType_t>(CUDNN_ATTR_CONVOLUTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, {SumTypeOf(problem.type)});
  made.Set<cudnnConvolutionMode_t>(CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_TYPE_CONVOLUTION_MODE,
                                   {CUDNN_CROSS_CORRELATION});
  made.Set(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, CUDNN_TYPE_INT64, padding);
  made.Set(CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, CUDNN_TYPE_INT64, padding);
  made.Set(CUDNN_ATTR_CONVOLUTION_DILATIONS, CUDNN_TYPE_INT64, Widened(problem.spacing));
  made.Set(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, CUDNN_TYPE_INT64, Widened(problem.step));
  made.Finalize();
  return made;
}

// Tensors, convolution, operation and, last, the graph itself; nothing where cuDNN refuses one of them.
std::shared_ptr<std::vector<GraphObject>> PartsOf(const CudnnFunctions& cudnn, cudnnHandle_t handle,
                                                  const DnnProblem& problem) {
  const Operation names = OperationOf(problem.pass);
  auto parts = std::make_shared<std::vector<GraphObject>>();
  parts->push_back(TensorOf(cudnn, problem, kX, problem.x));
  parts->push_back(TensorOf(cudnn, problem, kW, problem.w));
  parts->push_back(TensorOf(cudnn, problem, kY, problem.y));
  parts->push_back(ConvolutionOf(cudnn, problem));
  GraphObject operation(cudnn, names.type);
  if (problem.type == DType::kDouble) {
    operation.Set<double>(names.alpha, CUDNN_TYPE_DOUBLE, {1});
    operation.Set<double>(names.beta, CUDNN_TYPE_DOUBLE, {0});
  } else {
    operation.Set<float>(names.alpha, CUDNN_TYPE_FLOAT, {1});
    operation.Set<float>(names.beta, CUDNN_TYPE_FLOAT, {0});
  }
  operation.Set(names.x, (*parts)[0]);
  operation.Set(names.w, (*parts)[1]);
  operation.Set(names.y, (*parts)[2]);
  operation.Set(names.convolution, (*parts)[3]);
  operation.Finalize();
  GraphObject graph(cudnn, CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
  graph.Set<cudnnHandle_t>(CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE, {handle});
  graph.Set(CUDNN_ATTR_OPERATIONGRAPH_OPS, operation);
  const bool is_whole = graph.Finalize();
  parts->push_back(std::move(operation));
  parts->push_back(std::move(graph));
  return is_whole ? parts : nullptr;
}

// Whether the engine may be taken.
bool MayCompute(const GraphObject& engine, const DnnProblem& problem, bool in_one_order) {
  const auto is_wrong = [&](cudnnBackendNumericalNote_t note) {
    if (note == CUDNN_NUMERICAL_NOTE_TENSOR_CORE) return ElementSize(problem.type) > 2 && !problem.as_tf32;
    if (note == CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC) return in_one_order;
    return note >= CUDNN_NUMERICAL_NOTE_DOWN_CONVERT_INPUTS && note <= CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_13x13;
  };
  const auto notes = engine.Get<cudnnBackendNumericalNote_t>(CUDNN_ATTR_ENGINE_NUMERICAL_NOTE,
                                                             CUDNN_TYPE_NUMERICAL_NOTE, kCudnnMostNotes);
  const auto behaves = engine.Get<cudnnBackendBehaviorNote_t>(CUDNN_ATTR_ENGINE_BEHAVIOR_NOTE, CUDNN_TYPE_BEHAVIOR_NOTE,
                                                              kCudnnMostNotes);
  return std::none_of(notes.begin(), notes.end(), is_wrong) &&
         std::find(behaves.begin(), behaves.end(), CUDNN_BEHAVIOR_NOTE_RUNTIME_COMPILATION) == behaves.end();
}

std::vector<GraphObject> NewObjects(const CudnnFunctions& cudnn, cudnnBackendDescriptorType_t type, int count) {
  std::vector<GraphObject> objects;
  for (int i = 0; i < count; ++i) objects.emplace_back(cudnn, type);
  return objects;
}

// "engine 74: 2=5 13=0", the same from one handle to the next.
std::string NameOf(const CudnnFunctions& cudnn, const GraphObject& config, const GraphObject& engine) {
  const auto index = engine.Get<int64_t>(CUDNN_ATTR_ENGINE_GLOBAL_INDEX, CUDNN_TYPE_INT64, 1);
  std::string name = Str("engine ", index.empty() ? -1 : index[0], ":");
  std::vector<GraphObject> knobs = NewObjects(cudnn, CUDNN_BACKEND_KNOB_CHOICE_DESCRIPTOR, kCudnnMostKnobs);
  const size_t count = config.Get(CUDNN_ATTR_ENGINECFG_KNOB_CHOICES, knobs);
  for (size_t i = 0; i < count; ++i) {
    const auto knob = knobs[i].Get<cudnnBackendKnobType_t>(CUDNN_ATTR_KNOB_CHOICE_KNOB_TYPE, CUDNN_TYPE_KNOB_TYPE, 1);
    const auto turned = knobs[i].Get<int64_t>(CUDNN_ATTR_KNOB_CHOICE_KNOB_VALUE, CUDNN_TYPE_INT64, 1);
    if (!knob.empty() && !turned.empty()) name += Str(" ", static_cast<int>(knob[0]), "=", turned[0]);
  }
  return name;
}

// The engine of a configuration; nothing where it may not be taken, or is not made.
std::optional<DnnEngine> EngineOf(const CudnnFunctions& cudnn, cudnnHandle_t handle, const DnnProblem& problem,
                                  bool in_one_order, GraphObject config,
                                  std::shared_ptr<const std::vector<GraphObject>> parts) {
  std::vector<GraphObject> engine = NewObjects(cudnn, CUDNN_BACKEND_ENGINE_DESCRIPTOR, 1);
  if (config.Get(CUDNN_ATTR_ENGINECFG_ENGINE, engine) != 1) return std::nullopt;
  if (!MayCompute(engine[0], problem, in_one_order)) return std::nullopt;
  GraphObject plan(cudnn, CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR);
  plan.Set<cudnnHandle_t>(CUDNN_ATTR_EXECUTION_PLAN_HANDLE, CUDNN_TYPE_HANDLE, {handle});
  plan.Set(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, config);
  if (!plan.Finalize()) return std::nullopt;
  const auto bytes = plan.Get<int64_t>(CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, CUDNN_TYPE_INT64, 1);
  if (bytes.empty() || bytes[0] < 0 || static_cast<size_t>(bytes[0]) > kMostDnnWorkspace) return std::nullopt;
  DnnEngine made;
  made.workspace = static_cast<size_t>(bytes[0]);
  made.name = NameOf(cudnn, config, engine[0]);
  made.graph = std::make_shared<const GraphPlan>(GraphPlan{std::move(parts), std::move(config), std::move(plan)});
  return made;
}

}  // namespace

GraphObject::GraphObject(const CudnnFunctions& cudnn, cudnnBackendDescriptorType_t type)
    : cudnn_(&cudnn), status_(cudnn.cudnnBackendCreateDescriptor(type, &descriptor_)) {}

GraphObject::~GraphObject() {
  if (descriptor_ != nullptr) static_cast<void>(cudnn_->cudnnBackendDestroyDescriptor(descriptor_));
}

GraphObject::GraphObject(GraphObject&& other) noexcept
    : cudnn_(other.cudnn_), descriptor_(std::exchange(other.descriptor_, nullptr)), status_(other.status_) {}

void GraphObject::SetArray(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, int64_t count,
                           const void* values) {
  if (status_ != CUDNN_STATUS_SUCCESS) return;
  status_ = cudnn_->cudnnBackendSetAttribute(descriptor_, name, type, count, values);
}

void GraphObject::Set(cudnnBackendAttributeName_t name, const GraphObject& other) {
  Set<cudnnBackendDescriptor_t>(name, CUDNN_TYPE_BACKEND_DESCRIPTOR, {other.descriptor_});
}

size_t GraphObject::GetArray(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, int most,
                             void* values) const {
  int64_t count = 0;
  if (status_ != CUDNN_STATUS_SUCCESS ||
      cudnn_->cudnnBackendGetAttribute(descriptor_, name, type, most, &count, values) != CUDNN_STATUS_SUCCESS) {
    return 0;
  }
  return static_cast<size_t>(std::clamp<int64_t>(count, 0, most));
}

size_t GraphObject::Get(cudnnBackendAttributeName_t name, std::vector<GraphObject>& objects) const {
  std::vector<cudnnBackendDescriptor_t> descriptors;
  for (const GraphObject& object : objects) descriptors.push_back(object.descriptor_);
  return GetArray(name, CUDNN_TYPE_BACKEND_DESCRIPTOR, static_cast<int>(descriptors.size()), descriptors.data());
}

bool GraphObject::Finalize() {
  if (status_ == CUDNN_STATUS_SUCCESS) status_ = cudnn_->cudnnBackendFinalize(descriptor_);
  return status_ == CUDNN_STATUS_SUCCESS;
}

std::vector<DnnEngine> GraphEngines(const CudnnFunctions& cudnn, cudnnHandle_t handle, const DnnProblem& problem,
                                    bool in_one_order) {
  std::vector<DnnEngine> engines;
  const auto parts = PartsOf(cudnn, handle, problem);
  if (parts == nullptr) return engines;
  std::set<std::string> names;
  for (const auto mode : {CUDNN_HEUR_MODE_A, CUDNN_HEUR_MODE_B, CUDNN_HEUR_MODE_FALLBACK}) {
    GraphObject heuristics(cudnn, CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
    heuristics.Set(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, parts->back());
    heuristics.Set<cudnnBackendHeurMode_t>(CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, {mode});
    if (!heuristics.Finalize()) continue;
    std::vector<GraphObject> configs = NewObjects(cudnn, CUDNN_BACKEND_ENGINECFG_DESCRIPTOR, kMostResults);
    const size_t count = heuristics.Get(CUDNN_ATTR_ENGINEHEUR_RESULTS, configs);
    for (size_t i = 0; i < count && engines.size() < kMostEngines; ++i) {
      std::optional<DnnEngine> engine = EngineOf(cudnn, handle, problem, in_one_order, std::move(configs[i]), parts);
      if (engine && names.insert(engine->name).second) engines.push_back(std::move(*engine));
    }
  }
  return engines;
}

cudnnStatus_t QueueGraph(const CudnnFunctions& cudnn, cudnnHandle_t handle, const DnnEngine& engine, DnnPass pass,
                         const DnnOperands& operands, void* workspace) {
  constexpr std::array<std::array<int64_t, 3>, 3> kNames = {{{kX, kW, kY}, {kW, kY, kX}, {kX, kY, kW}}};
  const std::array<int64_t, 3>& names = kNames[static_cast<size_t>(pass)];
  GraphObject pack(cudnn, CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR);
  pack.Set<int64_t>(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, CUDNN_TYPE_INT64, {names.begin(), names.end()});
  pack.Set<const void*>(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR,
                        {operands.first, operands.second, operands.result});
  pack.Set<void*>(CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, {workspace});
  if (!pack.Finalize()) return CUDNN_STATUS_BAD_PARAM;
  return cudnn.cudnnBackendExecute(handle, engine.graph->plan.get(), pack.get());
}

}  // namespace plumb::fast::GPU_NAMESPACE
