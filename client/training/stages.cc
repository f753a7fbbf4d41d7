#include "client/training/stages.h"

#include <algorithm>
#include <numeric>

#include "client/gradients.h"

namespace plumb {
namespace {

constexpr int kAnywhere = -1;
constexpr char kColocation[] = "_class";

// Whether a run of variables of at most `limit` bytes each takes no more than `stages` runs.
bool Fits(const std::vector<int64_t>& bytes, int stages, int64_t limit) {
  int64_t run = 0;
  for (const int64_t each : bytes) {
    if (each > limit) return false;
    run += each;
    if (run <= limit) continue;
    run = each;
    if (--stages == 0) return false;
  }
  return true;
}

// Gradients are built in a name scope of their own.
bool IsOfGradients(const std::string& name) {
  const std::string own = GradientOptions().name;
  for (size_t at = 0; at != std::string::npos; at = name.find('/', at)) {
    if (at > 0) ++at;
    const std::string_view part = std::string_view(name).substr(at, name.find('/', at) - at);
    const bool is_numbered = part.size() > own.size() && part[own.size()] == '_';
    if (part.starts_with(own) && (part.size() == own.size() || is_numbered)) return true;
  }
  return false;
}

bool AnyIsReference(const std::vector<DType>& types) {
  return std::any_of(types.begin(), types.end(), [](DType type) { return IsRef(type) || type == DType::kResource; });
}

// Consumers of each node.
std::vector<std::vector<size_t>> ConsumersIn(const Graph& graph) {
  std::vector<std::vector<size_t>> consumers(graph.size());
  for (const Node& node : graph.nodes()) {
    for (const Endpoint input : node.inputs) consumers[Index(input.node)].push_back(Index(node.id));
  }
  return consumers;
}

}  // namespace

std::vector<int64_t> BytesOfVariables(Scope& scope) {
  std::vector<int64_t> bytes;
  for (const Variable& variable : scope.variables()) {
    bytes.push_back(variable.shape().ToShape().elements() * static_cast<int64_t>(ElementSize(variable.dtype())));
  }
  return bytes;
}

std::vector<int> CutIntoStages(const std::vector<int64_t>& bytes, int stages) {
  Require(stages >= 1 && static_cast<size_t>(stages) <= bytes.size(), "a model of ", bytes.size(),
          " variables cannot be cut into ", stages, " stages: take fewer devices");
  int64_t least = 0, most = std::accumulate(bytes.begin(), bytes.end(), int64_t{0});
  while (least < most) {
    const int64_t middle = least + (most - least) / 2;
    if (Fits(bytes, stages, middle)) {
      most = middle;
    } else {
      least = middle + 1;
    }
  }
  std::vector<int> cut;
  int64_t run = 0;
  for (size_t i = 0; i < bytes.size(); ++i) {
    const int stage = cut.empty() ? 0 : cut.back();
    const bool must_begin = bytes.size() - i <= static_cast<size_t>(stages - 1 - stage);  // or a stage stays empty
    const bool begins = i > 0 && stage + 1 < stages && (run + bytes[i] > most || must_begin);
    run = begins ? bytes[i] : run + bytes[i];
    cut.push_back(begins ? stage + 1 : stage);
  }
  return cut;
}

Stages::Stages(Optimizer& inner, std::vector<std::string> devices, const std::vector<int64_t>& bytes)
    : inner_(inner),
      devices_(std::move(devices)),
      cut_(CutIntoStages(bytes, static_cast<int>(devices_.size()))),
      anchors_(devices_.size()) {}

Scope::VariableDevice Stages::OfVariables() {
  return [this](DType, const PartialShape&) {
    const size_t number = variables_++;
    return devices_[number < cut_.size() ? static_cast<size_t>(cut_[number]) : devices_.size() - 1];
  };
}

NodeId Stages::Apply(Scope& scope, std::span<const VariableGradient> gradients, const Variable* global_step) {
  const Graph& graph = scope.builder().graph();
  for (const Variable& variable : scope.variables()) {
    const Node& node = graph.node(variable.ref().node());
    const auto device = std::find(devices_.begin(), devices_.end(), node.device);
    if (device == devices_.end()) continue;
    std::string& anchor = anchors_[device - devices_.begin()];
    if (anchor.empty()) anchor = "loc:@" + node.name;
  }
  const auto& nodes = graph.nodes();
  const auto backward =
      std::find_if(nodes.begin(), nodes.end(), [](const Node& node) { return IsOfGradients(node.name); });
  Assign(scope, static_cast<size_t>(backward - nodes.begin()), gradients);
  const NodeId train = inner_.Apply(scope, gradients, global_step);
  Assign(scope, 0, {});
  return train;
}

int Stages::GivenStage(const Node& node) const {
  const auto device = std::find(devices_.begin(), devices_.end(), node.device);
  if (device != devices_.end()) return static_cast<int>(device - devices_.begin());
  for (const std::string& with : GetAttrOr<std::vector<std::string>>(node.attrs, kColocation, {})) {
    const auto anchor = std::find(anchors_.begin(), anchors_.end(), with);
    if (anchor != anchors_.end()) return static_cast<int>(anchor - anchors_.begin());
  }
  return kAnywhere;
}

void Stages::Assign(Scope& scope, size_t backward, std::span<const VariableGradient> gradients) {
  const Graph& graph = scope.builder().graph();
  const size_t known = stages_.size(), size = graph.nodes().size();
  const auto consumers = ConsumersIn(graph);
  stages_.resize(size, kAnywhere);
  for (size_t i = known; i < size; ++i) stages_[i] = GivenStage(graph.nodes()[i]);
  for (const auto& gradient : gradients) {  // beside the variable, whose update takes it
    const Endpoint values = gradient.second.values;
    if (gradient.second.IsNone() || Index(values.node) < std::max(known, backward)) continue;
    stages_[Index(values.node)] = stages_[Index(gradient.first.ref().node())];
  }
  const auto last_of_inputs = [&](const Node& node) {
    int stage = kAnywhere;
    for (const Endpoint input : node.inputs) stage = std::max(stage, stages_[Index(input.node)]);
    return stage;
  };
  // A reference leads to one device.
  const auto of_reference = [&](const Node& node) {
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      if (IsRef(node.input_types[i]) || node.input_types[i] == DType::kResource)
        return stages_[Index(node.inputs[i].node)];
    }
    return kAnywhere;
  };
  for (size_t i = known; i < std::max(known, backward); ++i) {
    const Node& node = graph.nodes()[i];
    if (stages_[i] == kAnywhere)
      stages_[i] = AnyIsReference(node.input_types) ? of_reference(node) : last_of_inputs(node);
  }
  // From the end: those who take a gradient say where it is of.
  for (size_t i = size; i-- > known;) {
    const Node& node = graph.nodes()[i];
    if (stages_[i] != kAnywhere) continue;
    if (AnyIsReference(node.input_types)) {
      stages_[i] = of_reference(node);
      continue;
    }
    int first = kAnywhere, last = kAnywhere;  // of its consumers
    for (const size_t consumer : consumers[i]) {
      const int stage = stages_[consumer];
      if (stage == kAnywhere) continue;
      first = first == kAnywhere ? stage : std::min(first, stage);
      last = std::max(last, stage);
    }
    stages_[i] = i < backward ? first : std::max(last, last_of_inputs(node));
  }
  Colocate(scope.builder(), known);
}

void Stages::Colocate(GraphBuilder& builder, size_t from) const {
  for (size_t i = from; i < stages_.size(); ++i) {
    const Node& node = builder.graph().nodes()[i];
    // References lead to their nodes: these lie where one of them is asked to.
    const bool is_by_reference = AnyIsReference(node.input_types) || AnyIsReference(node.output_types);
    const bool is_free = node.device.empty() && !node.attrs.contains(kColocation) && !is_by_reference;
    if (stages_[i] == kAnywhere || !is_free) continue;
    builder.SetAttr(node.id, kColocation, std::vector<std::string>{anchors_[stages_[i]]});
  }
}

// Apply hands these to the optimizer inside.
NodeId Stages::ApplyDense(Scope&, const Variable& variable, Endpoint) {
  throw Internal("an update of '", variable.name(), "' is the inner optimizer's");
}

}  // namespace plumb
