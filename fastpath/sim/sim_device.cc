#include "fastpath/sim/sim_device.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "fastpath/cpu/cpu_device.h"
#include "fastpath/device/transfer.h"
#include "fastpath/sim/sim_kernel.h"
#include "spec/ops/equivalence.h"
#include "spec/ops/handle_kinds.h"
#include "spec/ops/shape_inputs.h"

namespace plumb::fast {
namespace {

// A block of the device's memory. Its address means nothing to the host.
struct SimBuffer : Buffer {
  std::shared_ptr<const SimSpace> owner;
};

void Release(Buffer* buffer) {
  const std::unique_ptr<SimBuffer> block(static_cast<SimBuffer*>(buffer));
  block->owner->driver->Free(block->owner->number, static_cast<DevicePointer>(block->data));
}

DevicePointer AddressOf(const Tensor& tensor) {
  return static_cast<DevicePointer>(const_cast<void*>(tensor.raw()));  // NOLINT: it is not followed here
}

// Also on the host stays what ops find by their attributes alone: without a handle or a reference to a variable, such
// as the members of their group (rule CO1).
bool FindsByName(const OpDef& op) {
  const auto leads = [](const ArgDef& arg) { return LeadsSomewhere(arg) || arg.is_ref; };
  if (op.FindAttr("group_key") != nullptr) return true;
  return op.FindAttr("container") != nullptr && std::none_of(op.inputs.begin(), op.inputs.end(), leads) &&
         std::none_of(op.outputs.begin(), op.outputs.end(), leads);
}

bool IsHeld(const OpDef& op, const std::vector<ArgDef>& args) {
  return RunsOnEveryDevice(op.kind) || std::none_of(args.begin(), args.end(), LeadsToTheHost);
}

// Whether the memory of a simulated device can hold what goes into the node and comes out of it. A handle itself lies
// on the host; what it leads to counts.
bool HoldsValuesOf(const Node& node) {
  const auto holds = [](DType type) { return IsPlain(Base(type)) || type == DType::kResource; };
  return std::all_of(node.input_types.begin(), node.input_types.end(), holds) &&
         std::all_of(node.output_types.begin(), node.output_types.end(), holds) && IsHeld(*node.op, node.op->inputs) &&
         IsHeld(*node.op, node.op->outputs) && !FindsByName(*node.op);
}

bool IsDrawn(uint64_t seed, int number, std::string_view op) {
  uint64_t hash = seed * 0x9e3779b97f4a7c15 + static_cast<uint64_t>(number);
  for (const char c : op) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return (hash >> 20) % 3 == 0;
}

}  // namespace

SimSpace::SimSpace(std::shared_ptr<Driver> on, int number) : driver(std::move(on)), number(number) {
  Require(number < kMaxSimDevices, "there are at most ", kMaxSimDevices, " simulated devices");
  name = Str("SIM:", number);
}

Tensor SimSpace::CopyToHost(const Tensor& value) const {
  Tensor copy(value.dtype(), value.shape());
  const auto stream = driver->NewStream(number);
  driver->CopyToHost(*stream, copy.mutable_raw(), AddressOf(value), value.bytes());
  if (const Status status = driver->Synchronize(*stream); !status.ok()) throw Error(status);
  return copy;
}

SimDevice::SimDevice(std::shared_ptr<Driver> driver, int number, uint64_t seed)
    : SimDevice(std::make_shared<SimSpace>(std::move(driver), number), seed) {}

SimDevice::SimDevice(std::shared_ptr<const SimSpace> space, uint64_t seed)
    : Device(Str("/job:localhost/replica:0/task:0/device:SIM:", space->number), space.get()),
      space_(std::move(space)),
      seed_(seed),
      kernels_(driver().NewStream(space_->number)),
      copies_(driver().NewStream(space_->number)) {}

bool SimDevice::HasKernel(const Node& node) const {
  if (!HoldsValuesOf(node)) return false;
  if (RunsOnEveryDevice(node.op->kind)) return true;
  if (node.op->kind != OpKind::kKernel || FindCpuKernel(node.op->name) == nullptr) return false;
  if (space_->number > 0 && IsDrawn(seed_, space_->number, node.op->name)) return false;
  return HasDeclaredTypes(node);
}

bool SimDevice::ReadsOnHost(const Node& node, int input) const {
  if (node.input_types[input] == DType::kResource) return true;
  if (node.op->kind != OpKind::kKernel) return false;
  return FindShapeInputs(*node.op, node.attrs, static_cast<int>(node.input_types.size()),
                         static_cast<int>(node.output_types.size()))[input];
}

bool SimDevice::WritesOnHost(const Node& node, int output) const {
  if (node.output_types[output] == DType::kResource) return true;
  if (node.op->kind == OpKind::kRecv) return GetAttrOr<bool>(node.attrs, kReceivesOnHost, false);
  return node.op->fold.from_shapes != nullptr;
}

Tensor SimDevice::NewTensor(DType dtype, const Shape& shape) {
  const auto bytes = CheckedMultiply(shape.elements(), static_cast<int64_t>(ElementSize(dtype)));
  if (!bytes) throw ResourceExhausted("a tensor of ", shape.elements(), " elements is larger than any device");
  auto block = std::make_unique<SimBuffer>();
  block->data = driver().Allocate(space_->number, static_cast<size_t>(*bytes));
  block->bytes = static_cast<size_t>(*bytes);
  block->release = Release;
  block->space = memory();
  block->owner = space_;
  return Tensor(dtype, shape, block.release());
}

void SimDevice::BeginStep(int64_t step_id, WorkDone failed) {
  MutexLock lock(mutex_);
  steps_[step_id] = std::make_shared<SimStep>(std::move(failed));
}

std::shared_ptr<SimStep> SimDevice::StepOf(int64_t step_id) const {
  MutexLock lock(mutex_);
  const auto found = steps_.find(step_id);
  return found == steps_.end() ? nullptr : found->second;
}

void SimDevice::WhenDone(int64_t step_id, WorkDone done) {
  const std::shared_ptr<SimStep> step = StepOf(step_id);
  if (step == nullptr || step->is_idle()) return done(step == nullptr ? OkStatus() : step->status());
  driver().Notify(*kernels_, [step, done = std::move(done)](const Status& status) {
    const Status failed = step->status();
    done(failed.ok() ? status : failed);
  });
}

Status SimDevice::EndStep(int64_t step_id) {
  const std::shared_ptr<SimStep> step = StepOf(step_id);
  if (step == nullptr) return OkStatus();
  Status status = step->Await();
  MutexLock lock(mutex_);
  steps_.erase(step_id);
  return status;
}

void SimDevice::CopyFromHost(Tensor value, CopyDone done) {
  Tensor copy = NewTensor(value.dtype(), value.shape());
  driver().CopyToDevice(*copies_, AddressOf(copy), value.raw(), value.bytes());
  driver().Notify(*copies_, [value, copy, done = std::move(done)](const Status& status) { done(status, copy); });
}

Device::CopyDone SimDevice::Checked(int64_t step_id, CopyDone done) const {
  return [step = StepOf(step_id), done = std::move(done)](const Status& status, Tensor copy) {
    done(step == nullptr || step->status().ok() ? status : step->status(), std::move(copy));
  };
}

void SimDevice::CopyToHost(int64_t step_id, Tensor value, CopyDone done) {
  Tensor copy = plumb::fast::Allocate(value.dtype(), value.shape());
  Order(*kernels_, *copies_);
  driver().CopyToHost(*copies_, copy.mutable_raw(), AddressOf(value), value.bytes());
  driver().Notify(
      *copies_, [value, copy, done = Checked(step_id, std::move(done))](const Status& status) { done(status, copy); });
}

Tensor SimDevice::CopyInPlace(Tensor value) {
  if (IsOnHost(value)) return CopyOf(value);
  Tensor copy = NewTensor(value.dtype(), value.shape());
  driver().Launch(*kernels_, [value, copy](const Driver::Follow& follow) {
    const GuardLock guard(value);
    if (value.bytes() > 0) std::memmove(follow(AddressOf(copy)), follow(AddressOf(value)), value.bytes());
    return OkStatus();
  });
  return copy;
}

void SimDevice::CopyFrom(Device& other, int64_t step_id, Tensor value, CopyDone done) {
  auto* const peer = dynamic_cast<SimDevice*>(&other);
  if (peer == nullptr || peer->space_->driver != space_->driver) {
    return Device::CopyFrom(other, step_id, std::move(value), std::move(done));
  }
  Tensor copy = NewTensor(value.dtype(), value.shape());
  Order(*peer->kernels_, *copies_);
  driver().CopyFromPeer(*copies_, AddressOf(copy), peer->space_->number, AddressOf(value), value.bytes());
  driver().Notify(*copies_, [value, copy, done = peer->Checked(step_id, std::move(done))](const Status& status) {
    done(status, copy);
  });
}

void SimDevice::Synchronize() {
  for (const auto& stream : {kernels_, copies_}) {
    if (const Status status = driver().Synchronize(*stream); !status.ok()) return;  // whoever waited for it was told
  }
}

std::shared_ptr<Kernel> SimDevice::MakeOwnKernel(const Node& node) {
  if (node.op->kind == OpKind::kKernel && !HasKernel(node)) {
    throw NoKernel(Code::kNotFound, "No registered '", node.op->name, "' kernel on ", name(), " for node '", node.name,
                   "'");
  }
  return std::make_shared<SimKernel>(MakeCpuKernel(node), node, *this);
}

}  // namespace plumb::fast
