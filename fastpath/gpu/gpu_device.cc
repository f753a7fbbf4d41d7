#include "fastpath/gpu/gpu_device.h"

#include <algorithm>
#include <map>
#include <utility>

#include "fastpath/accelerator/swap.h"
#include "fastpath/device/host_values.h"
#include "fastpath/gpu/gpu_inside.h"
#include "fastpath/gpu/gpu_other_steps.h"
#include "fastpath/gpu/gpu_recording.h"
#include "fastpath/gpu/gpu_section.h"
#include "fastpath/gpu/gpu_step.h"
#include "fastpath/gpu/lib/dnn/dnn_engines.h"
#include "fastpath/gpu/topics.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// Runs a kernel on inputs that stand in for a call's own, `input_of(i)`; what it leaves, as `output_of(i, value)`, is
// what the call leaves.
template <class InputOf, class RunKernel, class OutputOf>
void RunOnOthers(KernelContext& call, const Node& node, const InputOf& input_of, const RunKernel& run,
                 const OutputOf& output_of) {
  std::vector<Entry> inputs, outputs(static_cast<size_t>(call.num_outputs()));
  for (int i = 0; i < call.num_inputs(); ++i) inputs.push_back({input_of(i), call.shared_ref(i)});
  KernelContext inner(call.step(), inputs.data(), call.num_inputs(), outputs.data(), call.num_outputs(), &node.name,
                      &call.place());
  run(inner);
  for (int i = 0; i < call.num_outputs(); ++i) {
    Entry& output = outputs[static_cast<size_t>(i)];
    if (output.ref != nullptr) call.SetOutputRef(i, std::move(output.ref));
    if (output.tensor.IsSet()) call.SetOutput(i, output_of(i, std::move(output.tensor)));
  }
}

// The step of a call on the device, which has work there from now on; null outside of steps.
std::shared_ptr<GpuStep> StepWithWork(GpuDevice& device, KernelContext& call) {
  auto step = std::static_pointer_cast<GpuStep>(device.StepOf(call.step().step_id));
  if (step != nullptr) step->Launched();
  return step;
}

// Whether what this thread queues goes into a graph.
bool IsCapturing(const GpuDevice& device) {
  const Recording* const recording = Recording::On(device);
  return recording != nullptr && recording->stream() != nullptr;
}

// Runs a kernel of this folder where the executor runs one.
class Runner : public Kernel {
 public:
  Runner(std::unique_ptr<GpuKernel> kernel, const Node& node, GpuDevice& device)
      : kernel_(std::move(kernel)), node_(node), device_(device) {
    for (size_t i = 0; i < node.input_types.size(); ++i) {
      reads_on_host_.push_back(device.ReadsOnHost(node, static_cast<int>(i)));
    }
  }

  void Run(KernelContext& context) override {
    Check(cudaSetDevice(device_.number()), "to choose a GPU");
    for (int i = 0; i < context.num_inputs(); ++i) {
      if (IsStray(context, i)) return RunOnCopies(context);
    }
    RunHere(context);
  }
  void Save(const StateWriter& writer) const override { kernel_->Save(writer); }
  void Restore(const StateReader& reader) override { kernel_->Restore(reader); }

 private:
  void RunHere(KernelContext& context) {
    GpuContext here(context, device_, StepWithWork(device_, context), node_);
    if (IsCapturing(device_)) return kernel_->Run(here);  // not now
    const KernelLog::Work work(device_.kernel_log(), here.step_id(), node_.name, node_.op->name, here.stream());
    kernel_->Run(here);
  }

  // Whether the input is what a variable held that another device has used since.
  bool IsStray(const KernelContext& context, int i) const {
    const Tensor& input = context.input(i);
    return !reads_on_host_[static_cast<size_t>(i)] && input.buffer() != nullptr && IsOnHost(input) &&
           IsPlain(input.dtype());
  }

  void RunOnCopies(KernelContext& context) {
    const GpuInside inside(device_);
    RunOnOthers(
        context, node_, [&](int i) { return IsStray(context, i) ? inside.Held(context.input(i)) : context.input(i); },
        [&](KernelContext& inner) { RunHere(inner); }, [](int, Tensor value) { return value; });
  }

  const std::unique_ptr<GpuKernel> kernel_;
  const Node node_;
  GpuDevice& device_;
  std::vector<bool> reads_on_host_;  // by input
};

// Runs a kernel of the host.
class HostRunner : public Kernel {
 public:
  HostRunner(std::shared_ptr<Kernel> kernel, const Node& node, ByHost how, GpuDevice& device)
      : kernel_(std::move(kernel)), node_(node), how_(how), device_(device) {}

  void Run(KernelContext& context) override {
    Check(cudaSetDevice(device_.number()), "to choose a GPU");
    const GpuInside inside(device_);
    if (how_ != ByHost::kFromWhatItKnows) {
      StepWithWork(device_, context);  // what it keeps may be copied on the device
      const InsideScope scope(inside);
      return kernel_->Run(context);
    }
    RunOnOthers(
        context, node_, [&](int i) { return context.input(i); }, [&](KernelContext& inner) { kernel_->Run(inner); },
        [&](int i, Tensor known) { return device_.WritesOnHost(node_, i) ? known : inside.Held(known); });
  }
  bool KeepsAliases() const override { return kernel_->KeepsAliases(); }
  void Save(const StateWriter& writer) const override { kernel_->Save(writer); }
  void Restore(const StateReader& reader) override { kernel_->Restore(reader); }

 private:
  const std::shared_ptr<Kernel> kernel_;
  const Node node_;
  const ByHost how_;
  GpuDevice& device_;
};

// A number that the op itself takes or gives: the row says its type.
bool IsCounted(const ArgDef& arg) { return arg.type == DType::kInt32 || arg.type == DType::kInt64; }

// Whether a list of names, with blanks between them, has this one.
bool Lists(std::string_view names, std::string_view name) {
  while (!names.empty()) {
    const size_t end = names.find(' ');
    if (names.substr(0, end) == name) return true;
    names.remove_prefix(end == std::string_view::npos ? names.size() : end + 1);
  }
  return false;
}

// Whether the kernel keeps value `i` of these arguments on the host: because its books are there, or by its row.
bool HasOnHost(const Node& node, const std::vector<ArgDef>& args, int64_t i) {
  const GpuKernelRow* const row = FindGpuKernel(node.op->name);
  const ArgDef* const arg = row == nullptr ? nullptr : ArgOf(args, node.attrs, i);
  if (arg == nullptr) return false;
  const bool keeps_books = row->by_host == ByHost::kKeepingBooks || row->by_host == ByHost::kGivingToOtherSteps;
  return (keeps_books && IsCounted(*arg)) || Lists(row->on_host, arg->name);
}

bool Holds(const Node& node) { return HoldsValuesOf(node, HasOnHost); }

}  // namespace

GpuDevice::GpuDevice(std::shared_ptr<Driver> driver, int number, HostKernelFactory host_kernel)
    : Accelerator(std::make_shared<AcceleratorMemory>(std::move(driver), number, "GPU"), "GPU"),
      host_kernel_(host_kernel),
      dnn_(std::make_unique<DnnEngines>(number)) {}

GpuDevice::~GpuDevice() = default;

bool GpuDevice::HasKernel(const Node& node) const {
  if (!Holds(node)) return false;
  if (RunsOnEveryDevice(node.op->kind)) return true;
  return OwnKernel(node) != nullptr || ComputesOnHost(node);
}

const GpuKernelRow* GpuDevice::OwnKernel(const Node& node) {
  const bool may_have =
      node.op->kind == OpKind::kKernel && Holds(node) && HasDeclaredGpuTypes(node) && !ComputesOnHost(node);
  return may_have ? FindGpuKernel(node.op->name) : nullptr;
}

bool GpuDevice::ReadsOnHost(const Node& node, int input) const {
  if (Accelerator::ReadsOnHost(node, input) || ComputesOnHost(node)) return true;
  return HasOnHost(node, node.op->inputs, input);
}

bool GpuDevice::WritesOnHost(const Node& node, int output) const {
  if (Accelerator::WritesOnHost(node, output) || ComputesOnHost(node)) return true;
  return HasOnHost(node, node.op->outputs, output);
}

std::shared_ptr<Kernel> GpuDevice::MakeOwnKernel(const Node& node) {
  const GpuKernelRow* const row = OwnKernel(node);
  if (row == nullptr && Holds(node) && ComputesOnHost(node)) return host_kernel_(node);
  if (row == nullptr) {
    throw NoKernel(Code::kNotFound, "No registered '", node.op->name, "' kernel on ", name(), " for node '", node.name,
                   "'");
  }
  if (const ByHost how = HowOf(*row, node); how != ByHost::kNo) {
    auto host = host_kernel_(node);
    if (how == ByHost::kGivingToOtherSteps) return MakeGiving(std::move(host), *this);
    if (auto async = std::dynamic_pointer_cast<AsyncKernel>(host)) return MakeWaiting(std::move(async), *this);
    if (Pops(node)) return MakePop(std::move(host), node, *this);
    auto here = std::make_shared<HostRunner>(host, node, how, *this);
    if (PushesToHost(node)) return MakePushToHost(std::move(host), std::move(here), node, *this);
    return here;
  }
  return std::make_shared<Runner>(row->make(node), node, *this);
}

std::shared_ptr<QueuedStep> GpuDevice::NewStep(WorkDone failed) {
  return std::make_shared<GpuStep>(*this, std::move(failed));
}

Accelerator::Examination GpuDevice::QueueExamination(const std::shared_ptr<QueuedStep>& step, Driver::Stream& stream) {
  if (step == nullptr) return [] {};
  return static_cast<GpuStep&>(*step).QueueExamination(stream);
}

Status GpuDevice::EndStep(int64_t step_id) {
  const std::shared_ptr<QueuedStep> step = StepOf(step_id);
  if (step == nullptr) return OkStatus();
  if (!step->is_idle()) {
    const Examination examine = QueueExamination(step, kernels());
    const Status status = driver().Synchronize(kernels());
    if (status.ok()) {
      examine();
    } else {
      step->Fail(static_cast<GpuStep&>(*step).WithSections(status));
    }
  }
  Forget(step_id);
  return step->status();
}

Tensor GpuDevice::CopyInPlace(Tensor value) {
  if (IsOnHost(value)) return CopyOf(value);
  Tensor copy = NewTensor(value.dtype(), value.shape());
  driver().CopyWithin(kernels(), AddressOf(copy), AddressOf(value), value.bytes());
  return copy;
}

Tensor GpuDevice::NewTensor(DType dtype, const Shape& shape) {
  if (Recording* const recording = Recording::On(*this)) return recording->NewTensor(dtype, shape);
  return Accelerator::NewTensor(dtype, shape);
}

Driver::Stream& GpuDevice::kernels() {
  return IsCapturing(*this) ? *Recording::On(*this)->stream() : Accelerator::kernels();
}

void GpuDevice::BeginTrace(int64_t step_id) {
  copy_log().Begin(step_id);
  static_cast<void>(cudaSetDevice(number()));  // a step on a card that has failed is told so
  kernel_log_.Begin(step_id, stream());
  MutexLock lock(steps_mutex_);
  traced_[step_id];
}

std::vector<DeviceStats> GpuDevice::EndTrace(int64_t step_id) {
  const std::string prefix = Str("/device:GPU:", number(), "/");
  std::map<std::string, DeviceStats> lines;
  for (const CopyRecord& copy : copy_log().End(step_id)) {
    const std::string kind(copy.kind);
    const NodeStats stats = {
        kind, Str(kind, " ", copy.bytes, " bytes"), copy.asked_ns, copy.start_ns, copy.end_ns, copy.stream};
    for (const std::string& line : {Str("stream:", copy.stream), std::string("stream:all"), std::string("memcpy")}) {
      lines[line].nodes.push_back(stats);
    }
  }
  static_cast<void>(cudaSetDevice(number()));
  for (const NodeStats& kernel : kernel_log_.End(step_id)) {
    for (const char* const line : {"stream:0", "stream:all"}) lines[line].nodes.push_back(kernel);
  }
  std::vector<DeviceStats> all;
  for (auto& [line, stats] : lines) all.push_back({prefix + line, std::move(stats.nodes)});
  MutexLock lock(steps_mutex_);
  auto sections = traced_.extract(step_id);
  if (!sections.empty() && !sections.mapped().empty()) {
    all.push_back({prefix + "sections", std::move(sections.mapped())});
  }
  return all;
}

std::vector<std::unique_ptr<Device>> OpenDevices(int most, HostKernelFactory host_kernel) {
  const std::shared_ptr<Driver> driver = CudaDriver();
  std::vector<std::unique_ptr<Device>> devices;
  for (int i = 0; i < std::min(most, driver->devices()); ++i)
    devices.push_back(std::make_unique<GpuDevice>(driver, i, host_kernel));
  return devices;
}

}  // namespace plumb::fast::GPU_NAMESPACE
