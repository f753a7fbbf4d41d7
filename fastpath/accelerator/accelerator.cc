#include "fastpath/accelerator/accelerator.h"

#include <algorithm>
#include <utility>

#include "fastpath/device/host_values.h"
#include "fastpath/device/transfer.h"
#include "spec/ops/dims.h"
#include "spec/ops/equivalence.h"
#include "spec/ops/handle_kinds.h"
#include "spec/ops/shape_inputs.h"
#include "spec/ops/traits.h"

namespace plumb::fast {
namespace {

// A block of the device's memory. Its address means nothing to the host.
struct AcceleratorBuffer : Buffer {
  std::shared_ptr<const AcceleratorMemory> owner;
};

void Release(Buffer* buffer) {
  const std::unique_ptr<AcceleratorBuffer> block(static_cast<AcceleratorBuffer*>(buffer));
  block->owner->driver->Free(block->owner->number, static_cast<DevicePointer>(block->data));
}

void ReleaseArrival(Buffer* buffer) {
  const std::unique_ptr<AcceleratorBuffer> block(static_cast<AcceleratorBuffer*>(buffer));
  block->owner->arrivals->GiveBack(static_cast<DevicePointer>(block->data), block->bytes);
}

// Memory that somebody else keeps.
struct LentBuffer : Buffer {
  std::shared_ptr<const AcceleratorMemory> owner;
  std::function<void()> let_go;
};

void GiveBack(Buffer* buffer) {
  const std::unique_ptr<LentBuffer> block(static_cast<LentBuffer*>(buffer));
  block->let_go();
}

size_t BytesOf(DType dtype, const Shape& shape) {
  const auto bytes = CheckedMultiply(shape.elements(), static_cast<int64_t>(ElementSize(dtype)));
  if (!bytes) throw ResourceExhausted("a tensor of ", shape.elements(), " elements is larger than any device");
  return static_cast<size_t>(*bytes);
}

Tensor TensorIn(const std::shared_ptr<const AcceleratorMemory>& space, DevicePointer memory, size_t bytes,
                void (*release)(Buffer*), DType dtype, const Shape& shape) {
  auto block = std::make_unique<AcceleratorBuffer>();
  block->data = memory;
  block->bytes = bytes;
  block->release = release;
  block->space = space.get();
  block->owner = space;
  return Tensor(dtype, shape, block.release());
}

// Also on the host stays what ops find by their attributes alone: without a handle or a reference to a variable, such
// as the members of their group (rule CO1).
bool FindsByName(const OpDef& op) {
  const auto leads = [](const ArgDef& arg) { return LeadsSomewhere(arg) || arg.is_ref; };
  if (Has(op, Trait::kMeetsGroup)) return true;
  return op.FindAttr("container") != nullptr && std::none_of(op.inputs.begin(), op.inputs.end(), leads) &&
         std::none_of(op.outputs.begin(), op.outputs.end(), leads);
}

bool IsHeld(const OpDef& op, const std::vector<ArgDef>& args) {
  return RunsOnEveryDevice(op.kind) || std::none_of(args.begin(), args.end(), LeadsToTheHost);
}

// A handle, which the host reads. One that is a string (Q5) is known by its argument.
bool IsHandle(const Node& node, const std::vector<ArgDef>& args, const std::vector<DType>& types, size_t i) {
  if (types[i] == DType::kResource || Base(types[i]) != DType::kString) return types[i] == DType::kResource;
  const ArgDef* const arg = ArgOf(args, node.attrs, static_cast<int64_t>(i));
  return arg != nullptr && LeadsSomewhere(*arg);
}

}  // namespace

DevicePointer AddressOf(const Tensor& tensor) {
  return static_cast<DevicePointer>(const_cast<void*>(tensor.raw()));  // NOLINT: it is not followed here
}

bool HoldsValuesOf(const Node& node, KeepsOnHost own) {
  const bool takes_variants = RunsOnEveryDevice(node.op->kind) || HasDeclaredGpuTypes(node) || MayComputeOnHost(node);
  const auto holds_all = [&](const std::vector<ArgDef>& args, const std::vector<DType>& types) {
    for (size_t i = 0; i < types.size(); ++i) {
      const bool holds = IsPlain(Base(types[i])) || (types[i] == DType::kVariant && takes_variants);
      if (holds || IsHandle(node, args, types, i)) continue;
      if (types[i] != DType::kString || own == nullptr || !own(node, args, static_cast<int64_t>(i))) return false;
    }
    return IsHeld(*node.op, args);
  };
  return holds_all(node.op->inputs, node.input_types) && holds_all(node.op->outputs, node.output_types) &&
         (!FindsByName(*node.op) || (own != nullptr && HasDeclaredGpuTypes(node)));
}

const ArgDef* ArgOf(const std::vector<ArgDef>& args, const AttrMap& attrs, int64_t i) {
  for (const ArgDef& arg : args) {
    i -= CountValues(arg, attrs);
    if (i < 0) return &arg;
  }
  return nullptr;
}

AcceleratorMemory::AcceleratorMemory(std::shared_ptr<Driver> on, int number, const std::string& kind)
    : driver(std::move(on)),
      number(number),
      kernels(driver->KernelStream(number)),
      arrivals(std::make_unique<Arrivals>(*driver, number, *kernels)) {
  name = Str(kind, ":", number);
}

Tensor AcceleratorMemory::CopyToHost(const Tensor& value) const {
  TrafficWatch::Tell("copies a value to the host");
  Tensor copy(value.dtype(), value.shape());
  const auto stream = driver->NewStream(number);
  driver->Wait(*stream, driver->Record(*kernels));
  driver->CopyToHost(*stream, copy.mutable_raw(), AddressOf(value), value.bytes());
  if (const Status status = driver->Synchronize(*stream); !status.ok()) throw Error(status);
  return copy;
}

Accelerator::Accelerator(std::shared_ptr<const AcceleratorMemory> space, std::string_view kind)
    : Device(Str("/job:localhost/replica:0/task:0/device:", kind, ":", space->number), space.get()),
      space_(std::move(space)),
      arriving_{space_->driver->NewStream(space_->number), 1},
      leaving_{space_->driver->NewStream(space_->number), 2},
      staging_(space_->driver, arriving_, leaving_, log_) {}

bool Accelerator::ReadsOnHost(const Node& node, int input) const {
  if (IsHandle(node, node.op->inputs, node.input_types, static_cast<size_t>(input))) return true;
  if (node.op->kind != OpKind::kKernel) return false;
  return FindShapeInputs(*node.op, node.attrs, static_cast<int>(node.input_types.size()),
                         static_cast<int>(node.output_types.size()))[input];
}

bool Accelerator::WritesOnHost(const Node& node, int output) const {
  if (IsHandle(node, node.op->outputs, node.output_types, static_cast<size_t>(output))) return true;
  if (node.op->kind == OpKind::kRecv) return GetAttrOr<bool>(node.attrs, kReceivesOnHost, false);
  return node.op->fold.from_shapes != nullptr;
}

template <class Take>
auto Accelerator::WithMemory(const Take& take) {
  try {
    return take();
  } catch (const Error& error) {
    if (error.status().code() != Code::kResourceExhausted) throw;
    const bool has_dropped = space_->arrivals->Drop();
    if (!GiveUpMemory() && !has_dropped) throw;
  }
  return take();
}

Tensor Accelerator::NewTensor(DType dtype, const Shape& shape) {
  const size_t bytes = BytesOf(dtype, shape);
  const DevicePointer memory = WithMemory([&] { return accelerator_driver().Allocate(space_->number, bytes); });
  return TensorIn(space_, memory, bytes, Release, dtype, shape);
}

Tensor Accelerator::TensorAt(DevicePointer memory, DType dtype, const Shape& shape, std::function<void()> let_go) {
  auto block = std::make_unique<LentBuffer>();
  block->data = memory;
  block->bytes = BytesOf(dtype, shape);
  block->release = GiveBack;
  block->space = space_.get();
  block->owner = space_;
  block->let_go = std::move(let_go);
  return Tensor(dtype, shape, block.release());
}

Tensor Accelerator::NewArrival(DType dtype, const Shape& shape) {
  if (!accelerator_driver().gives_out_early()) return NewTensor(dtype, shape);
  const size_t bytes = BytesOf(dtype, shape);
  const Arrivals::Block block = WithMemory([&] { return space_->arrivals->Take(bytes); });
  Tensor tensor = TensorIn(space_, block.memory, bytes, ReleaseArrival, dtype, shape);
  accelerator_driver().Wait(arriving(), block.last_use);
  return tensor;
}

std::shared_ptr<QueuedStep> Accelerator::NewStep(WorkDone failed) {
  return std::make_shared<QueuedStep>(std::move(failed));
}

void Accelerator::BeginStep(int64_t step_id, WorkDone failed) {
  MutexLock lock(mutex_);
  steps_[step_id] = NewStep(std::move(failed));
}

std::shared_ptr<QueuedStep> Accelerator::StepOf(int64_t step_id) const {
  MutexLock lock(mutex_);
  const auto found = steps_.find(step_id);
  return found == steps_.end() ? nullptr : found->second;
}

void Accelerator::Forget(int64_t step_id) {
  MutexLock lock(mutex_);
  steps_.erase(step_id);
}

void Accelerator::WhenDone(int64_t step_id, WorkDone done) {
  const std::shared_ptr<QueuedStep> step = StepOf(step_id);
  if (step == nullptr || step->is_idle()) return done(step == nullptr ? OkStatus() : step->status());
  accelerator_driver().Notify(
      kernels(), [step, examine = QueueExamination(step, kernels()), done = std::move(done)](const Status& status) {
        if (status.ok()) examine();
        const Status failed = step->status();
        done(failed.ok() ? status : failed);
      });
}

Status Accelerator::EndStep(int64_t step_id) {
  const std::shared_ptr<QueuedStep> step = StepOf(step_id);
  if (step == nullptr) return OkStatus();
  const Status status = step->Await();
  Forget(step_id);
  return status;
}

void Accelerator::CopyFromHost(Tensor value, CopyDone done) {
  Tensor copy = NewArrival(value.dtype(), value.shape());
  const DevicePointer to = AddressOf(copy);
  const void* const from = value.raw();
  const size_t bytes = value.bytes();
  staging_.CopyIn(
      to, from, bytes, kernels(),
      [value = std::move(value), copy, done = std::move(done)](const Status& status) { done(status, copy); });
}

// Where the copy is not staged at once, it is waited for on the stream of kernels: the answer to a copy on another one
// may come on the thread that this one keeps waiting.
Tensor Accelerator::Bring(const Tensor& value) {
  TrafficWatch::Tell("brings a value from the host");
  Tensor copy = NewArrival(value.dtype(), value.shape());
  if (staging_.CopyInAtOnce(AddressOf(copy), value.raw(), value.bytes(), kernels())) return copy;
  Order(arriving(), kernels());  // behind the last use of its memory
  accelerator_driver().CopyToDevice(kernels(), AddressOf(copy), value.raw(), value.bytes());
  if (const Status status = accelerator_driver().Synchronize(kernels()); !status.ok()) throw Error(status);
  return copy;
}

Device::CopyDone Accelerator::Checked(std::shared_ptr<QueuedStep> step, Examination examine, CopyDone done) {
  return [step = std::move(step), examine = std::move(examine), done = std::move(done)](const Status& status,
                                                                                        Tensor copy) {
    if (step == nullptr) return done(status, std::move(copy));
    if (status.ok()) examine();
    const Status failed = step->status();
    done(failed.ok() ? status : failed, std::move(copy));
  };
}

void Accelerator::CopyToHost(int64_t step_id, Tensor value, CopyDone done) {
  Tensor copy = plumb::fast::Allocate(value.dtype(), value.shape());
  const std::shared_ptr<QueuedStep> step = StepOf(step_id);
  Order(kernels(), leaving());
  Examination examine = QueueExamination(step, leaving());
  void* const to = copy.mutable_raw();
  staging_.CopyOut(to, AddressOf(value), value.bytes(),
                   [value, copy, done = Checked(step, std::move(examine), std::move(done))](const Status& status) {
                     done(status, copy);
                   });
}

void Accelerator::CopyFrom(Device& other, int64_t step_id, Tensor value, CopyDone done) {
  auto* const peer = dynamic_cast<Accelerator*>(&other);
  if (peer == nullptr || peer->space_->driver != space_->driver) {
    return Device::CopyFrom(other, step_id, std::move(value), std::move(done));
  }
  Tensor copy = NewArrival(value.dtype(), value.shape());
  const std::shared_ptr<QueuedStep> step = peer->StepOf(step_id);
  Examination examine = peer->QueueExamination(step, peer->kernels());
  Order(peer->kernels(), arriving());
  CopyLog::Watch watch = log_.Queue(accelerator_driver(), arriving(), kCopyFromPeer, arriving_.number, value.bytes());
  accelerator_driver().CopyFromPeer(arriving(), AddressOf(copy), peer->space_->number, AddressOf(value), value.bytes());
  accelerator_driver().Notify(
      arriving(), [value, copy, watch = std::move(watch),
                   done = Checked(step, std::move(examine), std::move(done))](const Status& status) mutable {
        watch.reset();
        done(status, copy);
      });
}

void Accelerator::Synchronize() {
  staging_.Await();
  for (Driver::Stream* const stream : {&kernels(), &arriving(), &leaving()}) {
    if (const Status status = accelerator_driver().Synchronize(*stream); !status.ok()) return;  // who waited was told
  }
}

}  // namespace plumb::fast
