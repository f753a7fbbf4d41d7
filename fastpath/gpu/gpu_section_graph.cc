#include "fastpath/gpu/gpu_section_graph.h"

#include <algorithm>
#include <array>
#include <functional>
#include <span>
#include <utility>

#include "fastpath/gpu/gpu_inside.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

void Append(std::string& key, const void* data, size_t bytes) { key.append(static_cast<const char*>(data), bytes); }
template <class T>
void AppendNumber(std::string& key, T number) {
  Append(key, &number, sizeof(number));
}

void AppendShape(std::string& key, DType dtype, const Shape& shape) {
  AppendNumber(key, dtype);
  AppendNumber(key, shape.rank());
  for (const int64_t dim : shape.dims()) AppendNumber(key, dim);
}

// Ends a capture that something was refused in.
void Abandon(cudaStream_t stream) {
  cudaGraph_t graph = nullptr;
  static_cast<void>(cudaStreamEndCapture(stream, &graph));
  if (graph != nullptr) static_cast<void>(cudaGraphDestroy(graph));
  static_cast<void>(cudaGetLastError());  // whoever runs the section tells why
}

}  // namespace

std::string ShapesOf(const std::vector<SectionInput>& inputs) {
  std::string key;
  for (const SectionInput& input : inputs) {
    AppendNumber(key, input.kind);
    if (input.kind == SectionInput::Kind::kFixed) continue;
    const Tensor& value = input.entry.tensor;
    const bool is_variable = input.kind == SectionInput::Kind::kVariable;
    AppendShape(key, is_variable ? input.dtype : value.dtype(), is_variable ? input.shape : value.shape());
    if (input.kind == SectionInput::Kind::kKnown) Append(key, value.raw(), value.bytes());
  }
  return key;
}

std::string PlacesOf(const std::vector<SectionInput>& inputs) {
  std::string key;
  for (const SectionInput& input : inputs) {
    if (input.kind != SectionInput::Kind::kVariable) continue;
    AppendNumber(key, input.variable.get());
    AppendNumber(key, input.place);
  }
  return key;
}

// Variables that are locked while a graph which uses them is launched: as if the kernels that it stands for ran at
// once.
class SectionGraph::Locked {
 public:
  Locked(const std::string& name, std::span<const Held> held) : held_(held) {
    for (size_t begin = 0; begin < held.size(); begin += VariableUpdate::kMaxVariables) {
      std::vector<Variable*> some;
      for (size_t i = begin; i < held.size() && i < begin + VariableUpdate::kMaxVariables; ++i) {
        some.push_back(held[i].variable);
      }
      locked_.push_back(std::make_unique<VariableUpdate>(name, some));
    }
  }

  // Whether all lie where they lay, and nobody holds a value that the work would change.
  bool AreInPlace() {
    try {
      for (size_t i = 0; i < held_.size(); ++i) {
        if (!IsInPlace(Of(i).Value(Place(i)), held_[i])) return false;
      }
    } catch (const Error&) {  // a variable holds nothing any more, or cannot be brought here
      return false;
    }
    return true;
  }
  // R32, R42: what the work does is seen.
  void CountUpdates() {
    for (size_t i = 0; i < held_.size(); ++i) {
      for (int update = 0; update < held_[i].updates; ++update) {
        if (Of(i).Writable(Place(i)).raw() != held_[i].place) throw Internal("a variable moved while it was locked");
      }
    }
  }

 private:
  static constexpr int64_t kOwnHolders = 2;  // the variable, and what it shows whoever has locked it

  // R44: what a handle's variable holds is changed in place if nobody else holds it.
  static bool IsInPlace(const Tensor& value, const Held& held) {
    if (value.buffer() == nullptr || value.raw() != held.place || !(value.shape() == held.shape)) return false;
    if (!held.is_handle || held.updates == 0) return true;
    return value.buffer()->references.load(std::memory_order_acquire) == kOwnHolders && !value.is_alias() &&
           !value.buffer()->is_view;
  }
  VariableUpdate& Of(size_t i) { return *locked_[i / VariableUpdate::kMaxVariables]; }
  static size_t Place(size_t i) { return i % VariableUpdate::kMaxVariables; }

  const std::span<const Held> held_;
  std::vector<std::unique_ptr<VariableUpdate>> locked_;
};

SectionGraph::SectionGraph(const Section& section, GpuDevice& device, KernelContext& call,
                           const std::vector<SectionInput>& inputs, size_t memory)
    : device_(device), block_(device.NewTensor(DType::kUint8, Shape({static_cast<int64_t>(memory)}))) {
  for (const SectionInput& input : inputs) {
    if (input.kind != SectionInput::Kind::kVariable) continue;
    held_.push_back({input.variable.get(), input.place, input.shape, 0, input.is_handle});
  }
  const auto is_before = [](const Held& a, const Held& b) { return std::less<>()(a.variable, b.variable); };
  const auto is_same = [](const Held& a, const Held& b) { return a.variable == b.variable; };
  std::sort(held_.begin(), held_.end(), is_before);
  held_.erase(std::unique(held_.begin(), held_.end(), is_same), held_.end());
  std::vector<int64_t> versions;
  for (const Held& held : held_) versions.push_back(held.variable->version());
  Capture(section, call, inputs);
  for (size_t i = 0; i < held_.size(); ++i) {
    held_[i].updates = static_cast<int>(held_[i].variable->version() - versions[i]);
  }
}

SectionGraph::~SectionGraph() {
  if (last_launch_ == nullptr || device_.driver().HasHappened(*last_launch_)) return;
  static_cast<void>(device_.driver().Synchronize(device_.kernels()));  // whoever waits for the work is told
}

bool SectionGraph::IsInBlock(const Tensor& value) const {
  const auto* const begin = static_cast<const char*>(block_.raw());
  const auto* const place = static_cast<const char*>(value.raw());
  return !IsOnHost(value) && !value.is_alias() && !std::less<>()(place, begin) &&
         std::less<>()(place, begin + block_.bytes());
}

bool SectionGraph::IsFixed(const Tensor& value) {
  return value.IsSet() && IsOnHost(value) && !value.is_alias() && IsPlain(value.dtype());
}

void SectionGraph::Capture(const Section& section, KernelContext& call, const std::vector<SectionInput>& inputs) {
  Check(cudaSetDevice(device_.number()), "to choose a GPU");
  const std::shared_ptr<CudaStream> own = NewCapturingStream(device_.number());
  cudaStream_t const stream = own->handle;
  CapturedWork::Begin(stream);
  try {
    Recording recording(device_, block_, *own);
    std::vector<Entry> values;
    for (const SectionInput& input : inputs) {
      const bool is_copied = input.kind == SectionInput::Kind::kCopied;
      const Tensor& value = input.entry.tensor;
      inputs_.push_back(is_copied ? recording.NewTensor(value.dtype(), value.shape()) : Tensor());
      values.push_back(is_copied ? Entry{inputs_.back(), nullptr} : input.entry);
    }
    section.Run(call, values);
    for (const int output : section.outputs) outputs_.push_back(values[static_cast<size_t>(output)].tensor);
    for (Recording::Slots& slots : recording.TakeSlots()) {
      slot_blocks_.push_back(std::move(slots.block));
      refusals_.push_back(std::move(slots.refusals));
    }
  } catch (...) {
    Abandon(stream);
    throw;
  }
  work_ = CapturedWork::End(stream);
  for (const Tensor& output : outputs_) {
    if (!IsFixed(output) && !IsInBlock(output))
      throw NotCaptured(Code::kInternal, "a value that leaves the section is not its own");
  }
}

void SectionGraph::CopyIn(const std::vector<SectionInput>& inputs) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs_[i].IsSet()) continue;
    const Tensor& value = inputs[i].entry.tensor;
    device_.driver().CopyWithin(device_.kernels(), AddressOf(inputs_[i]), AddressOf(value), value.bytes());
  }
}

void SectionGraph::CopyOut(const Tensor& output, const Tensor& copy) {
  if (IsFixed(output)) return;
  device_.driver().CopyWithin(device_.kernels(), AddressOf(copy), AddressOf(output), output.bytes());
}

std::vector<Tensor> SectionGraph::NewLike(const std::vector<Tensor>& values) {
  std::vector<Tensor> made;
  try {
    for (const Tensor& value : values) {
      made.push_back(IsFixed(value) ? value : device_.NewTensor(value.dtype(), value.shape()));
    }
  } catch (const Error& error) {
    throw NotCaptured(error.status());
  }
  return made;
}

// All memory is taken before anything is queued.
bool SectionGraph::Launch(KernelContext& call, GpuStep& step, const std::string& name,
                          const std::vector<SectionInput>& inputs, bool is_counted) {
  Check(cudaSetDevice(device_.number()), "to choose a GPU");
  std::vector<Tensor> outputs = NewLike(outputs_), slots = NewLike(slot_blocks_);
  const GpuInside inside(device_);
  const InsideScope scope(inside);
  Locked locked(name, held_);
  if (!locked.AreInPlace()) return false;
  step.Launched();
  step.Replayed(name);
  if (!is_counted) locked.CountUpdates();
  CopyIn(inputs);
  {
    const KernelLog::Work work(device_.kernel_log(), call.step().step_id, name, "Section", device_.stream());
    work_->Launch(device_.stream());
  }
  for (size_t i = 0; i < outputs.size(); ++i) CopyOut(outputs_[i], outputs[i]);
  for (size_t i = 0; i < slots.size(); ++i) CopyOut(slot_blocks_[i], slots[i]);
  last_launch_ = device_.driver().Record(device_.kernels());
  for (size_t i = 0; i < outputs.size(); ++i) call.SetOutput(static_cast<int>(i), std::move(outputs[i]));
  for (size_t i = 0; i < slots.size(); ++i) step.AddSlots(std::move(slots[i]), refusals_[i]);
  return true;
}

}  // namespace plumb::fast::GPU_NAMESPACE
