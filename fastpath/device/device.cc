#include "fastpath/device/device.h"

#include <algorithm>
#include <atomic>
#include <future>

#include "fastpath/device/transfer.h"
#include "fastpath/device/variant_transfer.h"

namespace plumb::fast {
namespace {

int64_t NextIncarnation() {
  static std::atomic<int64_t> next{1};
  return next.fetch_add(1, std::memory_order_relaxed);
}

using DeclaredTypes = const std::vector<DType>& (OpDef::*)(const AttrDef&) const;

bool TakesTypesOf(const Node& node, DeclaredTypes declared_types) {
  return std::all_of(node.op->attrs.begin(), node.op->attrs.end(), [&](const AttrDef& attr) {
    const auto value = node.attrs.find(attr.name);
    if (attr.kind != AttrKind::kType || value == node.attrs.end()) return true;
    const std::vector<DType>& declared = (node.op->*declared_types)(attr);
    const auto takes = [&](DType type) {
      return declared.empty() || std::find(declared.begin(), declared.end(), type) != declared.end();
    };
    if (const auto* type = value->second.Get<DType>()) return takes(*type);
    const auto* types = value->second.Get<std::vector<DType>>();
    return types == nullptr || std::all_of(types->begin(), types->end(), takes);
  });
}

}  // namespace

Device::Device(const std::string& name, const DeviceMemory* memory)
    : name_(name), parts_(DeviceName::Parse(name)), memory_(memory), incarnation_(NextIncarnation()) {}

std::shared_ptr<Kernel> Device::MakeKernel(const Node& node) {
  if (node.op->kind == OpKind::kSend) return MakeSend(node, *this);
  if (node.op->kind == OpKind::kRecv) return MakeRecv(node, *this);
  try {
    return MakeOwnKernel(node);
  } catch (const Error& error) {
    throw Error(AtNode(error.status(), node.name, node.op->name));
  }
}

// By way of the host.
void Device::CopyFrom(Device& other, int64_t step_id, Tensor value, CopyDone done) {
  other.CopyToHost(step_id, std::move(value), [this, done = std::move(done)](const Status& status, Tensor on_host) {
    if (!status.ok()) return done(status, Tensor());
    CopyFromHost(std::move(on_host), done);
  });
}

Status AtNode(const Status& status, std::string_view node, std::string_view op) {
  return status.WithMessage(Str(status.message(), " [node '", node, "'", op.empty() ? "" : ", op ", op, "]"));
}

void Transfer(Device* from, Device& to, bool to_host, int64_t step_id, Tensor value, Device::CopyDone done) {
  if (value.dtype() == DType::kVariant) {
    return TransferVariants(from, to, to_host, step_id, std::move(value), std::move(done));
  }
  const bool is_on_host = from == nullptr || IsOnHost(value);
  const bool stays_on_host = to_host || to.memory() == nullptr;
  if (is_on_host && stays_on_host) return done(OkStatus(), std::move(value));
  if (is_on_host) return to.CopyFromHost(std::move(value), std::move(done));
  if (stays_on_host) return from->CopyToHost(step_id, std::move(value), std::move(done));
  if (from == &to) return done(OkStatus(), std::move(value));
  to.CopyFrom(*from, step_id, std::move(value), std::move(done));
}

Tensor Upload(Device& device, Tensor value) {
  std::promise<std::pair<Status, Tensor>> arrived;
  const auto answer = [&](const Status& status, Tensor copy) { arrived.set_value({status, std::move(copy)}); };
  Transfer(nullptr, device, /*to_host=*/false, /*step_id=*/0, std::move(value), answer);
  auto [status, copy] = arrived.get_future().get();
  if (!status.ok()) throw Error(status);
  return std::move(copy);
}

bool IsPlain(DType type) {
  return !IsRef(type) && type != DType::kString && type != DType::kResource && type != DType::kVariant;
}

bool HandlesResources(const Node& node) {
  return std::any_of(node.input_types.begin(), node.input_types.end(), LeadsToResource) ||
         std::any_of(node.output_types.begin(), node.output_types.end(), LeadsToResource);
}

bool RunsOnEveryDevice(OpKind kind) {
  switch (kind) {
    case OpKind::kNoOp:
    case OpKind::kControlTrigger:
    case OpKind::kConstant:
    case OpKind::kIdentity:
    case OpKind::kPlaceholderWithDefault:
    case OpKind::kSwitch:
    case OpKind::kMerge:
    case OpKind::kEnter:
    case OpKind::kExit:
    case OpKind::kNextIteration:
    case OpKind::kLoopCond:
    case OpKind::kSend:
    case OpKind::kRecv:
      return true;
    default:
      return false;
  }
}

bool HasDeclaredTypes(const Node& node) { return TakesTypesOf(node, &OpDef::CpuTypes); }

bool HasDeclaredGpuTypes(const Node& node) { return node.op->gpu_types && TakesTypesOf(node, &OpDef::GpuTypes); }

std::vector<std::string> DeviceSet::Names() const {
  std::vector<std::string> names;
  names.reserve(devices_.size());
  for (const auto& device : devices_) names.push_back(device->name());
  return names;
}

bool DeviceSet::BeginsPlan(int device) const {
  const Device& own = *devices_[device];
  if (own.memory() != nullptr) return true;
  if (!own.is_remote()) return false;
  const auto task = [&](int i) { return std::pair(devices_[i]->parts().job, devices_[i]->parts().task); };
  return device == 0 || task(device - 1) != task(device);
}

int DeviceSet::PlanOf(int device) const {
  if (devices_[device]->memory() == nullptr && !devices_[device]->is_remote()) return 0;
  int plan = 0;
  for (int i = 0; i <= device; ++i) plan += BeginsPlan(i);
  return plan;
}

int DeviceSet::num_plans() const {
  int plans = 1;
  for (int i = 0; i < size(); ++i) plans += BeginsPlan(i);
  return plans;
}

int DeviceSet::FirstOf(int plan) const {
  int first = 0;
  while (PlanOf(first) != plan) ++first;
  return first;
}

}  // namespace plumb::fast
