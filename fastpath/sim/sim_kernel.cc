#include "fastpath/sim/sim_kernel.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "fastpath/accelerator/known_to_host.h"
#include "fastpath/device/caught.h"
#include "fastpath/sim/sim_inside.h"
#include "spec/ops/op_def.h"

namespace plumb::fast {

// What a launch needs, kept until it has ended.
struct SimKernel::Launch {
  StepContext& context;  // of the step, which ends after its launches
  std::string node;
  std::shared_ptr<QueuedStep> step;  // null where none has begun
  std::vector<Entry> inputs;
  std::vector<Entry> outputs;  // on the device; set beforehand where their sizes are known
  Status status;
};

SimKernel::SimKernel(std::shared_ptr<Kernel> kernel, const Node& node, SimDevice& device)
    : kernel_(std::move(kernel)), node_(node), device_(device) {
  for (size_t i = 0; i < node.output_types.size(); ++i) {
    writes_on_host_.push_back(device.WritesOnHost(node, static_cast<int>(i)));
  }
  const auto& types = node.output_types;
  is_known_early_ = node.op->strictness != Strictness::kRepeatsDeclaration && !HandlesResources(node) &&
                    std::find(types.begin(), types.end(), DType::kVariant) == types.end() &&
                    std::find(writes_on_host_.begin(), writes_on_host_.end(), true) == writes_on_host_.end();
}

void SimKernel::Start(AsyncContext& context, Done done) {
  const auto launch = std::make_shared<Launch>(
      Launch{context.step(), std::string(context.node()), device_.StepOf(context.step().step_id), {}, {}, {}});
  for (int i = 0; i < context.num_inputs(); ++i) launch->inputs.push_back({context.input(i), context.shared_ref(i)});
  launch->outputs.resize(context.num_outputs());
  const auto hand_over = [&context](const Launch& from) {
    for (int i = 0; i < context.num_outputs(); ++i) {
      context.SetOutput(i, from.outputs[i].tensor);
      context.SetOutputRef(i, from.outputs[i].ref);
    }
  };
  if (ReserveOutputs(*launch)) {
    hand_over(*launch);
    Queue(launch, [](const Status&) {});
    return done(OkStatus());
  }
  // A launch cannot be taken back; its answer comes soon.
  if (!context.Park(Str("its launch on ", device_.name()), [] {})) {
    return done(Status(Code::kCancelled, "the step was stopped"));
  }
  Queue(launch, [launch, hand_over, done = std::move(done)](const Status& status) {
    if (status.ok()) hand_over(*launch);
    done(status);
  });
}

// False where the sizes are not known, the rule refuses the inputs, or there is no room: then the kernel is the first
// to say what is wrong, as it is on the CPU.
bool SimKernel::ReserveOutputs(Launch& launch) const {
  const auto is_alias = [](const Entry& input) { return input.tensor.is_alias(); };
  if (!is_known_early_ || launch.step == nullptr) return false;
  if (std::any_of(launch.inputs.begin(), launch.inputs.end(), is_alias)) return false;
  std::vector<const Tensor*> inputs;
  for (const Entry& input : launch.inputs) inputs.push_back(&input.tensor);
  std::vector<PartialShape> shapes;
  try {
    shapes = InferShapes(KnownToHost(node_, inputs));
  } catch (const Error&) {
    return false;
  }
  const bool are_known = shapes.size() == launch.outputs.size() &&
                         std::all_of(shapes.begin(), shapes.end(), [](const auto& s) { return s.IsFullyDefined(); });
  return are_known && HasRoomFor(shapes, &launch.outputs);
}

bool SimKernel::HasRoomFor(const std::vector<PartialShape>& shapes, std::vector<Entry>* outputs) const {
  std::vector<Entry> reserved(shapes.size());
  try {
    for (size_t i = 0; i < shapes.size(); ++i) {
      reserved[i].tensor = device_.NewTensor(node_.output_types[i], shapes[i].ToShape());
    }
  } catch (const Error& error) {
    if (error.status().code() != Code::kResourceExhausted) throw;
    return false;
  }
  *outputs = std::move(reserved);
  return true;
}

void SimKernel::Queue(const std::shared_ptr<Launch>& launch, Done ended) {
  if (launch->step != nullptr) launch->step->Begin();
  SimDriver& driver = device_.driver();
  driver.Launch(device_.kernels(), [this, launch](const SimDriver::Follow& follow) {
    launch->status = Compute(*launch, follow);
    return OkStatus();  // a kernel that refuses its inputs spoils nothing but its step
  });
  driver.Notify(device_.kernels(), [this, launch, ended = std::move(ended)](const Status& status) {
    const Status outcome = status.ok() ? launch->status : status;
    const std::shared_ptr<QueuedStep> step = launch->step;
    const Status named = outcome.ok() ? outcome : AtNode(outcome, launch->node, node_.op->name);
    ended(outcome);
    launch->inputs.clear();
    launch->outputs.clear();
    if (step != nullptr) step->End(named);  // from now on the step, and this kernel, may be gone
  });
}

Status SimKernel::Compute(Launch& launch, const SimDriver::Follow& follow) {
  // Behind a failure there is nothing to compute from.
  if (launch.step != nullptr && !launch.step->status().ok()) return launch.step->status();
  try {
    const SimInside inside(device_, follow);
    const InsideScope scope(inside);
    Run(launch);
  } catch (const std::exception&) {
    return CaughtStatus();
  }
  return OkStatus();
}

void SimKernel::Run(Launch& launch) {
  std::vector<Entry> inputs(launch.inputs.size()), outputs(launch.outputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) inputs[i] = {SeenHere(launch.inputs[i].tensor), launch.inputs[i].ref};
  KernelContext inner(launch.context, inputs.data(), static_cast<int>(inputs.size()), outputs.data(),
                      static_cast<int>(outputs.size()), &launch.node);
  for (int i = 0; i < inner.num_inputs() && !kernel_->KeepsAliases(); ++i) inner.CopyGuarded(i);
  kernel_->Run(inner);
  for (size_t i = 0; i < outputs.size(); ++i) Store(outputs[i], launch, static_cast<int>(i));
}

void SimKernel::Store(Entry& output, Launch& launch, int i) {
  Entry& place = launch.outputs[i];
  if (output.ref != nullptr || !output.tensor.IsSet()) {
    if (place.tensor.IsSet()) throw Internal("Missing output ", i, " of node '", launch.node, "'");  // rule T5
    place.ref = std::move(output.ref);
  } else if (writes_on_host_[i]) {
    // Of handles, the tensor itself.
    place.tensor =
        output.tensor.buffer() != nullptr && output.tensor.buffer()->is_view ? output.tensor.Clone() : output.tensor;
  } else if (!place.tensor.IsSet()) {
    place.tensor = HeldOf(output.tensor);
  } else if (!(place.tensor.shape() == output.tensor.shape()) || place.tensor.dtype() != output.tensor.dtype()) {
    throw Internal("the row of ", node_.op->name, " says that output ", i, " has the shape ",
                   place.tensor.shape().ToString(), ", its kernel made ", output.tensor.shape().ToString());
  } else {
    Tensor reserved = SeenHere(place.tensor);
    CopyElements(output.tensor, reserved);
  }
}

}  // namespace plumb::fast
