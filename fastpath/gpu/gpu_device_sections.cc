// What a GPU says of sections (fastpath/device/section.h): which nodes go into one, and who has one.
#include <algorithm>
#include <utility>

#include "fastpath/device/host_values.h"
#include "fastpath/gpu/gpu_device.h"
#include "fastpath/gpu/gpu_section.h"
#include "fastpath/gpu/gpu_step.h"
#include "fastpath/gpu/lib/put_numbers.h"
#include "fastpath/gpu/topics.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

bool LeadsToVariable(const ArgDef& arg) { return arg.handle == "Variable" || (arg.is_ref && arg.handle.empty()); }
bool Leads(const ArgDef& arg) { return arg.is_ref || arg.type == DType::kResource || !arg.handle.empty(); }

// Whether all that the node is led to are variables, of which there are some.
bool UsesVariables(const Node& node) {
  const auto& inputs = node.op->inputs;
  return std::any_of(inputs.begin(), inputs.end(), Leads) &&
         std::all_of(inputs.begin(), inputs.end(),
                     [](const ArgDef& arg) { return !Leads(arg) || LeadsToVariable(arg); });
}

bool GivesValues(const Node& node) {
  return !node.output_types.empty() &&
         std::none_of(node.output_types.begin(), node.output_types.end(), LeadsToResource);
}

// Of what the host's kernels pass on, that which a graph has too: a value, or that of a variable which is only read.
bool PassesValuesOn(const Node& node) {
  const auto& inputs = node.input_types;
  if (!GivesValues(node)) return false;
  if (std::none_of(inputs.begin(), inputs.end(), LeadsToResource)) return !node.op->is_stateful;
  return UsesVariables(node) &&
         std::all_of(inputs.begin(), inputs.end(), [](DType type) { return type == DType::kResource; });
}

// Hands a value of the host on in the device's memory, over its stream of kernels.
class BringKernel : public Kernel {
 public:
  explicit BringKernel(GpuDevice& device) : device_(device) {}

  void Run(KernelContext& context) override {
    const Tensor& value = context.input(0);
    if (value.bytes() > kMostNumberBytes) return context.SetOutput(0, device_.Bring(value));
    Tensor here = device_.NewTensor(value.dtype(), value.shape());
    const auto step = std::static_pointer_cast<GpuStep>(device_.StepOf(context.step().step_id));
    if (step != nullptr) step->Launched();
    PutNumbers(device_, value, here);
    context.SetOutput(0, std::move(here));
  }

 private:
  GpuDevice& device_;
};

}  // namespace

// What is stateful without a variable draws random numbers, or does something that others see.
bool GpuDevice::TakesInSection(const Node& node) const {
  const GpuKernelRow* const row = OwnKernel(node);
  if (row == nullptr || node.op->allows_uninitialized_input) return false;
  const ByHost how = HowOf(*row, node);
  if (how == ByHost::kWithoutLooking) return PassesValuesOn(node);
  if (how != ByHost::kNo) return false;
  const auto& inputs = node.op->inputs;
  return std::any_of(inputs.begin(), inputs.end(), Leads) ? UsesVariables(node) : !node.op->is_stateful;
}

bool GpuDevice::KnowsInSection(const Node& node) const {
  return HasKernel(node) && (ComputesOnHost(node) || node.op->fold.from_shapes != nullptr);
}

std::shared_ptr<Kernel> GpuDevice::MakeBring() { return std::make_shared<BringKernel>(*this); }

std::shared_ptr<Kernel> GpuDevice::MakeSection(Section section) {
  return std::make_shared<GpuSection>(std::move(section), *this);
}

void GpuDevice::BeginPlainStep(int64_t step_id) {
  MutexLock lock(steps_mutex_);
  plain_steps_.insert(step_id);
}

void GpuDevice::EndPlainStep(int64_t step_id) {
  MutexLock lock(steps_mutex_);
  plain_steps_.erase(step_id);
}

bool GpuDevice::IsPlainStep(int64_t step_id) const {
  MutexLock lock(steps_mutex_);
  return plain_steps_.contains(step_id);
}

void GpuDevice::TraceSection(int64_t step_id, const NodeStats& stats) {
  MutexLock lock(steps_mutex_);
  const auto traced = traced_.find(step_id);
  if (traced != traced_.end()) traced->second.push_back(stats);
}

void GpuDevice::AddSection(GpuSection* section) {
  MutexLock lock(sections_mutex_);
  sections_.insert(section);
}

void GpuDevice::RemoveSection(GpuSection* section) {
  MutexLock lock(sections_mutex_);
  sections_.erase(section);
}

bool GpuDevice::GiveUpMemory() {
  MutexLock lock(sections_mutex_);
  bool had_any = false;
  for (GpuSection* const section : sections_) had_any = section->DropGraphs() || had_any;
  return had_any;
}

}  // namespace plumb::fast::GPU_NAMESPACE
