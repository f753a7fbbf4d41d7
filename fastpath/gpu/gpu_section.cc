#include "fastpath/gpu/gpu_section.h"

#include <algorithm>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "fastpath/accelerator/trace_time.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// The first run of shapes sets up what its kernels keep; what comes once or twice is not worth a graph.
constexpr int kTrialRun = 2;
constexpr size_t kMostCases = 8;          // sets of shapes of one section
constexpr size_t kMostKnownBytes = 1024;  // of a value of the host that a graph depends on
constexpr int kPause = 50;                // runs until memory is asked for again that was not there

// What a run is told that no graph can serve.
[[noreturn]] void ThrowUnserved(const std::string& why) { throw NotCaptured(Code::kInternal, why); }

std::vector<std::unique_ptr<VariableLookup>> LookupsFor(const Section& section) {
  std::vector<std::unique_ptr<VariableLookup>> lookups;
  for (const Section::Input& input : section.inputs) {
    lookups.push_back(input.type == DType::kResource ? std::make_unique<VariableLookup>(input.device) : nullptr);
  }
  return lookups;
}

// Where the variable lies; its value is let go.
void FindPlace(SectionInput& input, const Section& section, const GpuDevice& device) {
  if (input.variable == nullptr || !input.variable->IsInitialized()) ThrowUnserved("a variable holds nothing");
  const Tensor held = input.variable->Dereference(section.name);
  if (held.buffer() == nullptr || held.buffer()->space != device.memory()) ThrowUnserved("a variable lies elsewhere");
  input.kind = SectionInput::Kind::kVariable;
  input.dtype = held.dtype();
  input.shape = held.shape();
  input.place = held.raw();
}

SectionInput::Kind KindOf(const Tensor& value) {
  if (value.is_alias()) ThrowUnserved("an input may change");
  if (!IsOnHost(value)) return SectionInput::Kind::kCopied;
  if (!IsPlain(value.dtype()) || value.bytes() > kMostKnownBytes) ThrowUnserved("the host looks at a large value");
  return SectionInput::Kind::kKnown;
}

}  // namespace

GpuSection::GpuSection(Section section, GpuDevice& device)
    : section_(std::move(section)), device_(device), lookups_(LookupsFor(section_)) {
  device_.AddSection(this);
}

GpuSection::~GpuSection() { device_.RemoveSection(this); }

std::vector<SectionInput> GpuSection::InputsOf(KernelContext& call) const {
  std::vector<SectionInput> inputs(section_.inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    SectionInput& input = inputs[i];
    const int k = static_cast<int>(i);
    input.entry = {call.input(k), call.shared_ref(k)};
    if (section_.inputs[i].is_constant) continue;
    input.is_handle = lookups_[i] != nullptr;
    if (input.is_handle) {
      input.variable = lookups_[i]->Find(call, call.input(k));
      FindPlace(input, section_, device_);
    } else if (input.entry.ref != nullptr) {
      input.variable = input.entry.ref;
      FindPlace(input, section_, device_);
    } else {
      input.kind = KindOf(input.entry.tensor);
    }
  }
  return inputs;
}

GpuSection::Way GpuSection::WayOf(Case& its, std::string& why) {
  ++its.runs;
  if (its.is_busy) why = "another step is in it";
  if (its.runs < kTrialRun) why = "its shapes are new";
  if (!its.why_not.empty()) why = its.why_not;
  if (its.pause > 0 && --its.pause > 0) why = "memory was short";
  if (!why.empty()) return Way::kPlain;
  its.is_busy = true;
  if (its.graph != nullptr) return Way::kReplay;
  return its.memory ? Way::kCapture : Way::kTrial;
}

std::shared_ptr<GpuSection::Case> GpuSection::Begin(const std::vector<SectionInput>& inputs, Way& way,
                                                    std::string& why) {
  std::string places = PlacesOf(inputs);
  MutexLock lock(mutex_);
  const std::string shapes = ShapesOf(inputs);
  auto found = cases_.find(shapes);
  if (found != cases_.end() && found->second->places != places && !found->second->is_busy) {
    cases_.erase(found);
    found = cases_.end();
  }
  if (found == cases_.end()) {
    way = Way::kPlain;
    why = "its shapes are new";
    const auto is_idle = [](const auto& entry) { return entry.second->graph == nullptr && !entry.second->is_busy; };
    if (cases_.size() >= kMostCases) {
      const auto idle = std::find_if(cases_.begin(), cases_.end(), is_idle);
      if (idle == cases_.end()) {
        why = "it has graphs for other shapes";
        return nullptr;
      }
      cases_.erase(idle);
    }
    found = cases_.emplace(shapes, std::make_shared<Case>()).first;
    found->second->places = std::move(places);
  }
  way = WayOf(*found->second, why);
  return found->second;
}

void GpuSection::End(Case& its) {
  MutexLock lock(mutex_);
  its.is_busy = false;
}

bool GpuSection::DropGraphs() {
  std::vector<std::unique_ptr<SectionGraph>> dropped;
  MutexLock lock(mutex_);
  for (auto& [shapes, its] : cases_) {
    if (its->is_busy || its->graph == nullptr) continue;
    dropped.push_back(std::move(its->graph));
    its->pause = kPause;
  }
  return !dropped.empty();
}

void GpuSection::RunPlainly(KernelContext& call) const {
  std::vector<Entry> values;
  for (int i = 0; i < call.num_inputs(); ++i) values.push_back({call.TakeInput(i), call.shared_ref(i)});
  section_.Run(call, values);
  SetOutputs(call, values);
}

void GpuSection::SetOutputs(KernelContext& call, const std::vector<Entry>& values) const {
  for (size_t i = 0; i < section_.outputs.size(); ++i) {
    call.SetOutput(static_cast<int>(i), values[static_cast<size_t>(section_.outputs[i])].tensor);
  }
}

// Inputs have other holders, here as when they are copied into place: nothing is computed in their memory.
void GpuSection::Try(KernelContext& call, const std::vector<SectionInput>& inputs, Case& its) {
  Recording recording(device_);
  std::vector<Entry> values;
  for (const SectionInput& input : inputs) {
    if (input.kind == SectionInput::Kind::kCopied) recording.Reserve(input.entry.tensor.bytes());
    values.push_back(input.entry);
  }
  section_.Run(call, values);
  SetOutputs(call, values);
  MutexLock lock(mutex_);
  its.memory = recording.extent();
  if (!recording.why_not().empty()) its.why_not = Str("a node of it ", recording.why_not());
}

// What the kernels throw by themselves, they throw again when it is run plainly.
void GpuSection::Capture(KernelContext& call, const std::vector<SectionInput>& inputs, Case& its, std::string& why) {
  std::unique_ptr<SectionGraph> graph;
  try {
    graph = std::make_unique<SectionGraph>(section_, device_, call, inputs, *its.memory);
  } catch (const Error& error) {
    why = error.status().message();
    return Refuse(its, error.status());
  }
  MutexLock lock(mutex_);
  its.graph = std::move(graph);
}

void GpuSection::Refuse(Case& its, const Status& status) {
  std::unique_ptr<SectionGraph> dropped;
  MutexLock lock(mutex_);
  dropped = std::move(its.graph);
  if (status.code() == Code::kResourceExhausted) {
    its.pause = kPause;
    its.memory.reset();  // another trial
  } else if (status.code() == Code::kInternal) {
    its.why_not = status.message();
  }
}

bool GpuSection::Launch(KernelContext& call, GpuStep& step, const std::vector<SectionInput>& inputs, Case& its,
                        bool is_counted, std::string& why) {
  try {
    why = "others hold a variable of it";
    return its.graph->Launch(call, step, section_.name, inputs, is_counted);
  } catch (const NotCaptured& error) {
    why = error.status().message();
    Refuse(its, error.status());
  }
  return false;
}

// What it did, for traces.
std::string GpuSection::RunAs(Way way, KernelContext& call, GpuStep& step, const std::vector<SectionInput>& inputs,
                              Case& its) {
  if (way == Way::kTrial) {
    Try(call, inputs, its);
    return "kernels one by one: a trial";
  }
  std::string why;
  const bool captures = way == Way::kCapture;
  if (captures) Capture(call, inputs, its, why);
  if (its.graph != nullptr && Launch(call, step, inputs, its, captures, why)) {
    return Str(captures ? "captured, and " : "", "launched as one: ", its.graph->pieces(), " pieces of work");
  }
  RunPlainly(call);
  return "kernels one by one: " + why;
}

std::string GpuSection::RunSomehow(KernelContext& call) {
  const auto step = std::static_pointer_cast<GpuStep>(device_.StepOf(call.step().step_id));
  std::string why = "the step asks for it";
  if (step != nullptr && !device_.IsPlainStep(call.step().step_id)) {
    why.clear();
    std::vector<SectionInput> inputs;
    try {
      inputs = InputsOf(call);
    } catch (const Error& error) {  // whatever it is, kernels see it too
      why = error.status().message();
    }
    Way way = Way::kPlain;
    const std::shared_ptr<Case> its = why.empty() ? Begin(inputs, way, why) : nullptr;
    if (way != Way::kPlain) {
      const auto end = absl::MakeCleanup([&] { End(*its); });
      return RunAs(way, call, *step, inputs, *its);
    }
  }
  RunPlainly(call);
  return "kernels one by one: " + why;
}

void GpuSection::Run(KernelContext& call) {
  const int64_t begin = TraceTime();
  const std::string what = RunSomehow(call);
  device_.TraceSection(call.step().step_id, {section_.name, what, begin, begin, TraceTime(), 0});
}

}  // namespace plumb::fast::GPU_NAMESPACE
