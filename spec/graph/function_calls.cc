#include "spec/graph/function_calls.h"

#include <google/protobuf/empty.pb.h>

#include <algorithm>
#include <set>

#include "spec/graph/proto_io.h"
#include "spec/ops/catalogue.h"
#include "spec/ops/traits.h"
#include "spec/validate/signatures.h"

namespace plumb {
namespace {

constexpr char kLowered[] = "_lower_using_switch_merge", kExecutorType[] = "executor_type";

std::vector<DType> TypesOfArgs(const FunctionBody& body) {
  std::vector<DType> types;
  for (const NodeId arg : body.args) types.push_back(body.graph.TypeOf({arg, 0}));
  return types;
}

void CheckTypes(const Node& call, const FunctionBody& body, std::string_view what, const std::vector<DType>& actual,
                const std::vector<DType>& wanted) {
  Require(actual == wanted, "node '", call.name, "' (", call.op->name, "): the function '", body.name, "' has the ",
          what, " ", AttrValue(actual).ToString(), ", but the node's are ", AttrValue(wanted).ToString());
}

// As many results of other types are what a kernel gives and did not declare (rule T5), and so are too few of a loop
// that counts (FN7).
void CheckResults(const Node& call, const FunctionBody& body) {
  const std::vector<DType> actual = TypesOfResults(body);
  const bool are_as_many = actual.size() == call.output_types.size();
  const bool are_too_few = actual.size() < call.output_types.size();
  if ((are_as_many && actual != call.output_types) || (are_too_few && CountsTurns(*call.op))) {
    throw Internal("node '", call.name, "' (", call.op->name, "): the function '", body.name, "' has the results ",
                   AttrValue(actual).ToString(), ", but the node's are ", AttrValue(call.output_types).ToString());
  }
  CheckTypes(call, body, "results", actual, call.output_types);
}

// PartitionedCall, StatefulPartitionedCall.
bool ConfiguresRun(const OpDef& op) {
  return op.kind == OpKind::kCall && !IsCallByName(op) && op.FindAttr(kExecutorType) != nullptr;
}

// FN5: what they say changes no answer, but messages they are.
void CheckConfiguration(const Node& call) {
  if (!ConfiguresRun(*call.op)) return;
  const auto config = [&](const char* name) -> const std::string& { return GetAttr<std::string>(call.attrs, name); };
  Require(config("config").empty() || config("config_proto").empty(), "node '", call.name, "' (", call.op->name,
          ") has both config and config_proto; leave one of them empty");
  for (const char* const name : {"config", "config_proto"}) {
    Require(google::protobuf::Empty().ParseFromString(config(name)), "node '", call.name, "' (", call.op->name,
            "): ", name, " is no ConfigProto message");
  }
}

class CallCheck {
 public:
  CallCheck(const FunctionLibrary& library, const std::function<void(const FunctionBody&)>& visit)
      : library_(library), visit_(visit) {}

  void Check(const Node& call, int depth = 0) {
    if (depth > kMaxCallDepth) {
      throw ResourceExhausted("node '", call.name, "': calls lie more than ", kMaxCallDepth, " deep in each other");
    }
    CheckConfiguration(call);
    for (const CalledFunction& called : FunctionsCalledBy(call)) {
      const FunctionBody& body = library_.Body(called.function);
      CheckFits(call, called, body);
      if (!seen_.insert(&body).second) continue;
      if (visit_) visit_(body);
      const std::vector<bool> needed = body.Needed();
      for (const Node& node : body.graph.nodes()) {
        if (needed[Index(node.id)] && IsCall(node.op->kind)) Check(node, depth + 1);
      }
    }
    if (IsLowered(call)) CheckLowered(call);
  }

 private:
  // Branches and conditions take the inputs behind the one that is looked at; a condition gives one value of any type.
  static void CheckFits(const Node& call, const CalledFunction& called, const FunctionBody& body) {
    std::vector<DType> inputs(call.input_types.begin() + FirstArgument(*call.op), call.input_types.end());
    for (DType& type : inputs) type = Base(type);
    if (CountsTurns(*call.op)) inputs.insert(inputs.begin(), DType::kInt32);
    CheckTypes(call, body, "arguments", TypesOfArgs(body), inputs);
    if (call.op->kind == OpKind::kWhile && called.label == kConditionLabel) {
      Require(body.results.size() == 1, "node '", call.name, "': its condition '", body.name, "' gives ",
              body.results.size(), " values instead of one");
    } else {
      CheckResults(call, body);
    }
  }

  // What Switch and Enter nodes in the place of a node, whose functions fit, could not take.
  void CheckLowered(const Node& call) const {
    const bool loops = call.op->kind == OpKind::kWhile;
    const DType condition =
        loops ? TypesOfResults(library_.Body(FunctionsCalledBy(call)[0].function))[0] : Base(call.input_types[0]);
    if (loops) {
      const auto turns = GetAttr<int64_t>(call.attrs, "parallel_iterations");
      Require(turns > 0, "node '", call.name, "' (", call.op->name, "): parallel_iterations is ", turns,
              "; of a loop with ", kLowered, " it must be above 0");
    }
    Require(condition == DType::kBool, "node '", call.name, "' (", call.op->name, "): its condition is ",
            DTypeName(condition), "; of a node with ", kLowered, " it must be bool");
  }

  const FunctionLibrary& library_;
  const std::function<void(const FunctionBody&)>& visit_;
  std::set<const FunctionBody*> seen_;
};

}  // namespace

std::shared_ptr<const AttrMap> Bindings(const OpDef& op, const AttrMap& attrs) {
  AttrMap bindings;
  for (const AttrDef& attr : op.attrs) bindings.emplace(attr.name, attrs.find(attr.name)->second);
  return std::make_shared<const AttrMap>(std::move(bindings));
}

std::vector<DType> TypesOfResults(const FunctionBody& body) {
  std::vector<DType> types;
  for (const Endpoint result : body.results) types.push_back(Base(body.graph.TypeOf(result)));
  return types;
}

std::vector<CalledFunction> FunctionsCalledBy(const OpDef& op, const AttrMap& attrs) {
  const auto function = [&](std::string_view name) { return GetAttr<FunctionRef>(attrs, name); };
  switch (op.kind) {
    case OpKind::kCall:
      if (!IsCallByName(op)) return {{function("f"), ""}};
      return {{{op.name, Bindings(op, attrs)}, ""}};
    case OpKind::kSymbolicGradient:
      return {{GradientRef(function("f")), ""}};
    case OpKind::kIf:
      return {{function("then_branch"), "then"}, {function("else_branch"), "else"}};
    case OpKind::kCase: {
      std::vector<CalledFunction> branches;
      for (const FunctionRef& branch : GetAttr<std::vector<FunctionRef>>(attrs, "branches")) {
        branches.push_back({branch, Str("branch", branches.size())});
      }
      return branches;
    }
    case OpKind::kWhile:
      if (CountsTurns(op)) return {{function("body"), "body"}};
      return {{function("cond"), kConditionLabel}, {function("body"), "body"}};
    default:
      return {};
  }
}

bool IsCallByName(const OpDef& op) { return FindOp(op.name) == nullptr; }
bool CountsTurns(const OpDef& op) { return Has(op, Trait::kCountsTurns); }
bool NamesTarget(const OpDef& op) { return Has(op, Trait::kNamesTarget); }
bool Batches(const OpDef& op) { return Has(op, Trait::kBatches); }

bool IsLowered(const Node& node) {
  const bool asks = node.op->kind == OpKind::kIf || (node.op->kind == OpKind::kWhile && !CountsTurns(*node.op));
  const auto found = node.attrs.find(kLowered);
  const bool* const is_lowered = asks && found != node.attrs.end() ? found->second.Get<bool>() : nullptr;
  return is_lowered != nullptr && *is_lowered;
}

bool HasExecutor(const Node& call) {
  if (!ConfiguresRun(*call.op)) return true;
  const std::string& type = GetAttr<std::string>(call.attrs, kExecutorType);
  return type.empty() || type == "DEFAULT" || type == "SINGLE_THREADED_EXECUTOR";
}

void CheckExecutor(const Node& call) {
  if (HasExecutor(call)) return;
  throw NotFound("node '", call.name, "' (", call.op->name, ") asks for the executor '",
                 GetAttr<std::string>(call.attrs, kExecutorType),
                 "'; there are '', 'DEFAULT' and 'SINGLE_THREADED_EXECUTOR'");
}

int FirstArgument(const OpDef& op) {
  if (CountsTurns(op)) return 3;
  if (NamesTarget(op)) return 1;
  return op.kind == OpKind::kIf || op.kind == OpKind::kCase ? 1 : 0;
}

FunctionRef GradientRef(const FunctionRef& function) {
  FunctionRef gradient;
  gradient.name = GetOp("SymbolicGradient").name;
  gradient.attrs = std::make_shared<const AttrMap>(AttrMap{{"f", function}});
  return gradient;
}

std::string PathInto(const std::string& call, const std::string& label) {
  return label.empty() ? call : Str(call, ":", label);
}

Node InCall(const Node& node, const std::string& path, const Node& call) {
  Node there = node;
  there.name = Str(path, ":", node.name);
  const bool keeps_device = call.op->kind == OpKind::kCall && !IsCallByName(*call.op) && !node.device.empty();
  if (!keeps_device) there.device = call.device;
  if (node.op->kind == OpKind::kEnter) {
    there.attrs.insert_or_assign("frame_name", Str(path, ":", GetAttr<std::string>(node.attrs, "frame_name")));
  }
  const auto found = there.attrs.find("_class");
  const auto* classes = found == there.attrs.end() ? nullptr : found->second.Get<std::vector<std::string>>();
  if (classes == nullptr) return there;
  std::vector<std::string> own;
  for (const std::string& label : *classes) {
    own.push_back(label.starts_with("loc:@") ? Str("loc:@", path, ":", label.substr(5)) : label);
  }
  found->second = std::move(own);
  return there;
}

void CheckCalls(const FunctionLibrary* library, const Node& call,
                const std::function<void(const FunctionBody&)>& visit) {
  if (!IsCall(call.op->kind)) return;
  if (library == nullptr) throw NotFound("node '", call.name, "' calls a function, but the graph has no library");
  CallCheck(*library, visit).Check(call);
}

}  // namespace plumb
