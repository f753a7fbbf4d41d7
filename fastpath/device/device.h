// A device: where kernels run and values lie. Compiler and executor know devices through this alone; the CPU
// (fastpath/cpu) and the simulated accelerators (fastpath/sim) are two of them.
//
// Memory. A device computes in its own memory or in the host's. A buffer of its own memory carries its MemorySpace, and
// nobody but the device looks into it: values go in and out by its copies. Some arguments of its kernels lie in the
// host's memory all the same: those whose values shapes depend on, and those that say something about shapes (W16).
//
// Order. The work of a device is queued: kernels in the order in which they were started, copies behind the kernels
// that they need. A token with a value in device memory says that the work which computes it is queued, not that it is
// done. Work that is queued later sees the value complete, and copies out of the device's memory wait for it; whoever
// else wants to rely on it asks WhenDone. Memory that the host lets go is not given to other work before the work that
// uses it has ended.
//
// Failures. Work that fails late fails the step that it was queued for: BeginStep says whom to tell. What the step has
// queued behind it does nothing, and no copy out of the device answers with a value.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fastpath/device/kernel.h"
#include "spec/core/device_name.h"

namespace plumb::fast {

// The memory of devices that the host cannot reach.
struct DeviceMemory : MemorySpace {
  virtual ~DeviceMemory() = default;
  // A copy in the host's memory of a value that nobody writes meanwhile. Waits for it.
  virtual Tensor CopyToHost(const Tensor& value) const = 0;
  // The same for who has locked the variable that holds the value: it waits for no work that may want that lock.
  virtual Tensor CopyLockedToHost(const Tensor& value) const { return CopyToHost(value); }
};

class Device {
 public:
  // `name` is full (rule W1). `memory`: null for a device that computes in the host's.
  Device(const std::string& name, const DeviceMemory* memory);
  virtual ~Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  const std::string& name() const { return name_; }
  const DeviceName& parts() const { return parts_; }
  const DeviceMemory* memory() const { return memory_; }
  // Tells this device from others of the same name, earlier or elsewhere (rule W23).
  int64_t incarnation() const { return incarnation_; }
  // Whether it belongs to another task, whose process runs what lies on it.
  virtual bool is_remote() const { return false; }
  // Among devices that could take a node the highest is asked first (rule W14).
  virtual int priority() const = 0;

  // Its kernel table: whether it has a kernel for the node's op and types, or needs none (rule W13).
  virtual bool HasKernel(const Node& node) const = 0;
  // Throws NoKernel where it has none, and what the factory throws. Send and Recv are the same on every device.
  std::shared_ptr<Kernel> MakeKernel(const Node& node);
  // Arguments that its kernel of the node takes from, or leaves in, the host's memory.
  virtual bool ReadsOnHost(const Node& node, int input) const = 0;
  virtual bool WritesOnHost(const Node& node, int output) const = 0;

  // What is queued for one step. `failed` gets the status of its first piece of work that fails, with the name of the
  // node (AtNode), on any thread and as soon as it fails; it is not called any more when EndStep has returned.
  using WorkDone = std::function<void(const Status&)>;
  virtual void BeginStep(int64_t /*step_id*/, WorkDone /*failed*/) {}
  // Calls back once, on any thread, when all that the step has queued so far has ended: with the first failure, or OK.
  virtual void WhenDone(int64_t /*step_id*/, WorkDone done) { done(OkStatus()); }
  // Waits for the end of all that the step has queued: its first failure, or OK.
  virtual Status EndStep(int64_t /*step_id*/) { return OkStatus(); }

  // Memory of the device, uninitialised. Throws kResourceExhausted.
  virtual Tensor NewTensor(DType dtype, const Shape& shape) { return Allocate(dtype, shape); }

  // Copies, in the order in which they and other work of the device are asked for. `done` is called once, on any
  // thread. The value is kept until then. A copy out of the device fails if anything did that the step had queued there
  // before: then nothing of the step leaves the device any more.
  using CopyDone = std::function<void(const Status&, Tensor)>;
  virtual void CopyFromHost(Tensor value, CopyDone done) = 0;
  virtual void CopyToHost(int64_t step_id, Tensor value, CopyDone done) = 0;
  // A copy in the same memory of a value that may change, as it is when the work queued so far has ended.
  virtual Tensor CopyInPlace(Tensor value) { return CopyOf(value); }
  // From the memory of another device, which is not the host's.
  virtual void CopyFrom(Device& other, int64_t step_id, Tensor value, CopyDone done);
  // Returns when all that was begun has ended.
  virtual void Synchronize() = 0;

 protected:
  virtual std::shared_ptr<Kernel> MakeOwnKernel(const Node& node) = 0;

 private:
  const std::string name_;
  const DeviceName parts_;
  const DeviceMemory* const memory_;
  const int64_t incarnation_;
};

// The status with the name of the node that it comes from.
Status AtNode(const Status& status, std::string_view node, std::string_view op);

// Brings a value of a step that lies in the memory of `from` (null: the host's) into that of `to`, or into the host's.
// A value that lies where it is wanted is passed on.
void Transfer(Device* from, Device& to, bool to_host, int64_t step_id, Tensor value, Device::CopyDone done);
// The same for a value of the host, at once.
Tensor Upload(Device& device, Tensor value);

// Whether the memory of any device can hold values of this type: numbers can, objects cannot (rule W33).
bool IsPlain(DType type);
// Whether a value leads to what outlives it: a reference or a handle.
inline bool LeadsToResource(DType type) { return IsRef(type) || type == DType::kResource; }
// Whether any value that goes into the node or comes out of it does.
bool HandlesResources(const Node& node);
// Whether nodes of this op run on every device: the executor moves or runs them itself, without a kernel, or they are
// Sends and Recvs, whose kernels Device has.
bool RunsOnEveryDevice(OpKind kind);
// Whether the declared types of the op's row let kernels take this node (OpDef::CpuTypes), and those of GPUs.
bool HasDeclaredTypes(const Node& node);
bool HasDeclaredGpuTypes(const Node& node);

// The devices of a session, in the order of their numbers: the host's first.
class DeviceSet {
 public:
  void Add(std::unique_ptr<Device> device) { devices_.push_back(std::move(device)); }
  int size() const { return static_cast<int>(devices_.size()); }
  Device& operator[](int number) const { return *devices_[number]; }
  std::vector<std::string> Names() const;
  // Devices that share a plan have equal numbers: those of the host do, and so do those of another task, which follow
  // each other. Any other has a plan of its own.
  int PlanOf(int device) const;
  int num_plans() const;
  // The first device of a plan.
  int FirstOf(int plan) const;

 private:
  bool BeginsPlan(int device) const;

  std::vector<std::unique_ptr<Device>> devices_;
};

}  // namespace plumb::fast
