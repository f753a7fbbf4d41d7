// A device with memory and streams of its own, over a driver: what simulated accelerators and GPUs share. Kernels are
// queued on one stream, copies from and to the host on one of their own each; a step knows what it has queued.
#pragma once

#include <functional>
#include <map>
#include <memory>

#include "fastpath/accelerator/arrivals.h"
#include "fastpath/accelerator/copy_log.h"
#include "fastpath/accelerator/driver.h"
#include "fastpath/accelerator/queued_step.h"
#include "fastpath/accelerator/staging.h"
#include "fastpath/device/device.h"
#include "spec/core/thread_annotations.h"
#include "spec/ops/op_def.h"

namespace plumb::fast {

// The memory of one device of a driver.
struct AcceleratorMemory : DeviceMemory {
  AcceleratorMemory(std::shared_ptr<Driver> driver, int number, const std::string& kind);
  // As the value is when the work that is queued on the device has been done.
  Tensor CopyToHost(const Tensor& value) const override;

  const std::shared_ptr<Driver> driver;
  const int number;
  const std::shared_ptr<Driver::Stream> kernels;
  const std::unique_ptr<Arrivals> arrivals;
};

// Where a tensor of a device's memory lies; nobody on the host may follow it.
DevicePointer AddressOf(const Tensor& tensor);

// Told of what a thread does for a device besides queuing work on its memory: what brings values from the host or to
// it, or waits for work.
class TrafficWatch {
 public:
  virtual ~TrafficWatch() = default;
  // May throw what refuses it.
  virtual void OnTraffic(std::string_view what) = 0;

  // Tells the one of this thread, if there is one.
  static void Tell(std::string_view what) {
    if (current_ != nullptr) current_->OnTraffic(what);
  }

 protected:
  // From now on the one of this thread; null: there is none.
  static void Set(TrafficWatch* watch) { current_ = watch; }

 private:
  inline static thread_local TrafficWatch* current_ = nullptr;
};

// The argument that value `i` of the node's inputs, or outputs, belongs to; null where there are fewer values.
const ArgDef* ArgOf(const std::vector<ArgDef>& args, const AttrMap& attrs, int64_t i);

// Whether a device's own kernel of the node has value `i` of these arguments on the host.
using KeepsOnHost = bool (*)(const Node& node, const std::vector<ArgDef>& args, int64_t i);

// Whether the memory of an accelerator can hold what goes into the node and comes out of it: numbers; handles of what
// can lie there, strings among them, and variants that the op's row has GPUs take, which lie on the host themselves.
// Not what ops find by their attributes alone. `own`: of a device with kernels of its own, which have other strings on
// the host, and may keep what the row's attributes name; null: it runs the host's.
bool HoldsValuesOf(const Node& node, KeepsOnHost own = nullptr);

class Accelerator : public Device {
 public:
  // /device:KIND:NUMBER.
  Accelerator(std::shared_ptr<const AcceleratorMemory> space, std::string_view kind);

  // Handles, and values that shapes depend on or that say something about shapes (W16).
  bool ReadsOnHost(const Node& node, int input) const override;
  bool WritesOnHost(const Node& node, int output) const override;

  void BeginStep(int64_t step_id, WorkDone failed) override;
  void WhenDone(int64_t step_id, WorkDone done) override;
  Status EndStep(int64_t step_id) override;
  void CopyFromHost(Tensor value, CopyDone done) override;
  void CopyToHost(int64_t step_id, Tensor value, CopyDone done) override;
  void CopyFrom(Device& other, int64_t step_id, Tensor value, CopyDone done) override;
  void Synchronize() override;
  Tensor NewTensor(DType dtype, const Shape& shape) override;
  // A copy of the host's value for kernels that are queued from now on; the host may change the value then.
  Tensor Bring(const Tensor& value);
  // A tensor over memory of the device that somebody else keeps, who is told when the last holder lets it go.
  Tensor TensorAt(DevicePointer memory, DType dtype, const Shape& shape, std::function<void()> let_go);

  // For its kernels: the stream that they run on, and the step that they run for; null for one that has not begun here,
  // or has ended.
  std::shared_ptr<QueuedStep> StepOf(int64_t step_id) const;
  virtual Driver::Stream& kernels() { return *space_->kernels; }
  // Those of the copies that come to the device and that leave it.
  Driver::Stream& arriving() { return *arriving_.stream; }
  Driver::Stream& leaving() { return *leaving_.stream; }

 protected:
  Driver& accelerator_driver() const { return *space_->driver; }
  const AcceleratorMemory& space() const { return *space_; }
  virtual std::shared_ptr<QueuedStep> NewStep(WorkDone failed);
  // Queues on the stream what brings to the host whether work of the step refused its inputs. What is returned is
  // called when the stream has come so far, and makes the first refusal the step's failure. `step` may be null.
  using Examination = std::function<void()>;
  virtual Examination QueueExamination(const std::shared_ptr<QueuedStep>& /*step*/, Driver::Stream& /*stream*/) {
    return [] {};
  }
  // Memory is short: lets go what the device can do without. Whether there was any.
  virtual bool GiveUpMemory() { return false; }
  void Forget(int64_t step_id);
  CopyLog& copy_log() { return log_; }
  // Nothing later on `to` is done before what `from` was given so far.
  void Order(Driver::Stream& from, Driver::Stream& to) {
    accelerator_driver().Wait(to, accelerator_driver().Record(from));
  }

 private:
  // What a copy out of the device answers.
  static CopyDone Checked(std::shared_ptr<QueuedStep> step, Examination examine, CopyDone done);

  // What `take` gives; where there is no memory for it, once more when what can be done without has gone.
  template <class Take>
  auto WithMemory(const Take& take);
  // Memory for a copy that is queued on `arriving` next, and waits for nothing but the last use of its block.
  Tensor NewArrival(DType dtype, const Shape& shape);

  const std::shared_ptr<const AcceleratorMemory> space_;
  CopyLog log_;
  const CopyStream arriving_, leaving_;
  Staging staging_;
  mutable Mutex mutex_;
  std::map<int64_t, std::shared_ptr<QueuedStep>> steps_ PLUMB_GUARDED_BY(mutex_);
};

}  // namespace plumb::fast
