#include "fastpath/compile/functions/pass_kernels.h"

#include "fastpath/compile/functions/batch_kernel.h"
#include "fastpath/compile/functions/branch_kernel.h"
#include "fastpath/compile/functions/target_kernel.h"
#include "fastpath/compile/functions/turns_kernel.h"
#include "spec/graph/function_calls.h"
#include "spec/ops/op_def.h"
#include "spec/validate/signatures.h"

namespace plumb::fast {
namespace {

constexpr char kBranch[] = "Branch", kTurns[] = "Turns", kNextTurn[] = "NextTurn", kTarget[] = "Target", kPad[] = "Pad",
               kCut[] = "Cut", kCall[] = "Call";

// What a recipe says of the node that calls. The attributes of a call stand beside these.
constexpr char kCallName[] = "_call_name", kCallOp[] = "_call_op", kCallDevice[] = "_call_device";
constexpr char kCallDepth[] = "_call_depth", kBranches[] = "_branches", kBranchBy[] = "_branch_by",
               kDevices[] = "_devices", kMostRows[] = "_most_rows", kAllowedRows[] = "_allowed_rows",
               kSplits[] = "_splits";

std::shared_ptr<Kernel> MakeBranch(const AttrMap& attrs, const Graph&, const CallKernelFactory&) {
  const auto branches = GetAttr<int64_t>(attrs, kBranches);
  Require(branches > 0, "a choice between ", branches, " functions is none");
  const auto by = GetAttr<int64_t>(attrs, kBranchBy);
  Require(by >= 0 && by <= static_cast<int64_t>(BranchBy::kScalarCondition), by, " says nothing of a branch");
  return MakeBranchKernel(GetAttr<std::string>(attrs, kCallName), static_cast<size_t>(branches),
                          static_cast<BranchBy>(by));
}

std::shared_ptr<Kernel> MakeTurns(const AttrMap& attrs, const Graph&, const CallKernelFactory&) {
  return MakeTurnsKernel(GetAttr<std::string>(attrs, kCallName));
}
std::shared_ptr<Kernel> MakeNextTurn(const AttrMap&, const Graph&, const CallKernelFactory&) {
  return MakeNextTurnKernel();
}

std::shared_ptr<Kernel> MakeTarget(const AttrMap& attrs, const Graph&, const CallKernelFactory&) {
  return MakeTargetKernel(GetAttr<std::string>(attrs, kCallName), GetAttr<std::vector<std::string>>(attrs, kDevices));
}

std::shared_ptr<Kernel> MakePad(const AttrMap& attrs, const Graph&, const CallKernelFactory&) {
  return MakePadKernel(GetAttr<std::string>(attrs, kCallName), GetAttr<int64_t>(attrs, kMostRows),
                       GetAttr<std::vector<int64_t>>(attrs, kAllowedRows), GetAttr<bool>(attrs, kSplits));
}
std::shared_ptr<Kernel> MakeCut(const AttrMap& attrs, const Graph&, const CallKernelFactory&) {
  return MakeCutKernel(GetAttr<std::string>(attrs, kCallName));
}

std::shared_ptr<Kernel> MakeCall(const AttrMap& attrs, const Graph& source, const CallKernelFactory& call_kernel) {
  NodeDef def;
  def.name = GetAttr<std::string>(attrs, kCallName);
  def.op = GetAttr<std::string>(attrs, kCallOp);
  def.device = GetAttr<std::string>(attrs, kCallDevice);
  const auto depth = GetAttr<int64_t>(attrs, kCallDepth);
  Require(depth >= 0 && depth <= kMaxCallDepth, "the call '", def.name, "' lies in ", depth, " others; ", kMaxCallDepth,
          " is the most");
  def.attrs = attrs;
  for (const char* own : {kCallName, kCallOp, kCallDevice, kCallDepth}) def.attrs.erase(own);
  const Node call = ResolveNode(def, source.functions().get());
  Require(IsCall(call.op->kind), "'", call.name, "' is to call a function, but ", def.op, " calls none");
  Require(call_kernel != nullptr, "the call '", call.name, "' cannot be made here: nothing compiles it");
  return call_kernel(call, static_cast<int>(depth));
}

struct PassKernelRow {
  std::string_view name;
  std::shared_ptr<Kernel> (*make)(const AttrMap& attrs, const Graph& source, const CallKernelFactory& call_kernel);
};
constexpr PassKernelRow kPassKernels[] = {{kBranch, MakeBranch}, {kTurns, MakeTurns}, {kNextTurn, MakeNextTurn},
                                          {kTarget, MakeTarget}, {kPad, MakePad},     {kCut, MakeCut},
                                          {kCall, MakeCall}};

}  // namespace

void SetBranchKernel(StepNode& node, const Node& call, size_t branches) {
  const BranchBy by = call.op->kind == OpKind::kCase ? BranchBy::kIndex
                      : IsLowered(call)              ? BranchBy::kScalarCondition
                                                     : BranchBy::kCondition;
  const auto count = static_cast<int64_t>(branches), what = static_cast<int64_t>(by);
  node.recipe = {kBranch, {{kCallName, call.name}, {kBranches, count}, {kBranchBy, what}}};
  node.kernel = MakeBranchKernel(call.name, branches, by);
  node.stands_for = {call.name};
}

void SetTurnsKernel(StepNode& node, const Node& call) {
  node.name = Str(call.name, "::turns");
  node.recipe = {kTurns, {{kCallName, call.name}}};
  node.kernel = MakeTurnsKernel(call.name);
  node.stands_for = {call.name};
  node.input_types = {DType::kInt32, DType::kInt32, DType::kInt32};
  node.output_types = {DType::kInt64};
}

void SetNextTurnKernel(StepNode& node, const Node& call) {
  node.name = Str(call.name, "::next_turn");
  node.recipe = {kNextTurn, {{kCallName, call.name}}};
  node.kernel = MakeNextTurnKernel();
  node.stands_for = {call.name};
  node.input_types = {DType::kInt32, DType::kInt64, DType::kInt32};
  node.output_types = {DType::kInt32, DType::kInt64};
}

void SetTargetKernel(StepNode& node, const Node& call, const std::vector<std::string>& devices) {
  node.name = Str(call.name, "::target");
  node.recipe = {kTarget, {{kCallName, call.name}, {kDevices, devices}}};
  node.kernel = MakeTargetKernel(call.name, devices);
  node.stands_for = {call.name};
  node.input_types = {DType::kString};
}

void SetPadKernel(StepNode& node, const Node& call) {
  const auto most = GetAttr<int64_t>(call.attrs, "max_batch_size");
  const auto& allowed = GetAttr<std::vector<int64_t>>(call.attrs, "allowed_batch_sizes");
  const bool splits = GetAttr<bool>(call.attrs, "enable_large_batch_splitting");
  node.name = Str(call.name, "::pad");
  node.recipe = {kPad, {{kCallName, call.name}, {kMostRows, most}, {kAllowedRows, allowed}, {kSplits, splits}}};
  node.kernel = MakePadKernel(call.name, most, allowed, splits);
  node.stands_for = {call.name};
  node.input_types = GetAttr<std::vector<DType>>(call.attrs, "Tin");
  node.output_types = node.input_types;
}

void SetCutKernel(StepNode& node, const Node& call, size_t result) {
  const DType rows = Base(call.input_types[0]);
  node.name = Str(call.name, "::cut", result);
  node.recipe = {kCut, {{kCallName, call.name}}};
  node.kernel = MakeCutKernel(call.name);
  node.stands_for = {call.name};
  node.input_types = {rows, rows, call.output_types[result]};
  node.output_types = {call.output_types[result]};
}

void SetCallKernel(StepNode& node, const Node& call, int depth, const CallKernelFactory& call_kernel) {
  node.recipe = {kCall, call.attrs};
  node.recipe.attrs.insert_or_assign(kCallName, call.name);
  node.recipe.attrs.insert_or_assign(kCallOp, call.op->name);
  node.recipe.attrs.insert_or_assign(kCallDevice, call.device);
  node.recipe.attrs.insert_or_assign(kCallDepth, int64_t{depth});
  node.kernel = call_kernel(call, depth);
  node.stands_for = {call.name};
}

std::shared_ptr<Kernel> MakePassKernel(const KernelRecipe& recipe, const Graph& source,
                                       const CallKernelFactory& call_kernel) {
  for (const PassKernelRow& row : kPassKernels) {
    if (row.name == recipe.kernel) return row.make(recipe.attrs, source, call_kernel);
  }
  std::string known;
  for (const std::string_view name : PassKernelNames()) known += Str(known.empty() ? "" : ", ", name);
  throw InvalidArgument("no pass makes kernels that are called '", recipe.kernel, "'; there are: ", known);
}

std::vector<std::string_view> PassKernelNames() {
  std::vector<std::string_view> names;
  for (const PassKernelRow& row : kPassKernels) names.push_back(row.name);
  return names;
}

}  // namespace plumb::fast
