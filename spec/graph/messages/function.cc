// FunctionDefLibrary messages (rule 9.9).
#include <algorithm>
#include <iterator>
#include <set>

#include "spec/graph/function_def.h"
#include "spec/graph/messages/message.h"
#include "spec/graph/proto_io.h"
#include "spec/proto/graph.pb.h"
#include "spec/proto/op_def.pb.h"

namespace plumb {
namespace {

// In the order of AttrKind.
constexpr std::string_view kKindNames[] = {"string", "int", "float", "bool", "type", "shape", "tensor", "func"};

AttrDef FromProto(const pb::OpDef::AttrDef& from, Expansion* expansion) {
  AttrDef attr;
  attr.name = from.name();
  std::string_view kind = from.type();
  attr.is_list = kind.starts_with("list(") && kind.ends_with(")");
  if (attr.is_list) kind = kind.substr(5, kind.size() - 6);
  const auto* const named = std::find(std::begin(kKindNames), std::end(kKindNames), kind);
  Require(named != std::end(kKindNames), "the attribute '", attr.name, "' is of the unknown kind '", from.type(), "'");
  attr.kind = AttrKind(named - std::begin(kKindNames));
  if (from.has_default_value()) attr.default_value = FromProto(from.default_value(), expansion);
  if (from.has_minimum()) attr.minimum = from.minimum();
  const AttrValue allowed = FromProto(from.allowed_values(), expansion);
  if (const auto* types = allowed.Get<std::vector<DType>>()) attr.allowed_types = *types;
  if (const auto* strings = allowed.Get<std::vector<std::string>>()) attr.allowed_strings = *strings;
  return attr;
}

ArgDef FromProto(const pb::OpDef::ArgDef& from) {
  ArgDef arg;
  arg.name = from.name();
  arg.type = DType(from.type());
  arg.type_attr = from.type_attr();
  arg.number_attr = from.number_attr();
  arg.type_list_attr = from.type_list_attr();
  arg.is_ref = from.is_ref();
  return arg;
}

OpDef FromProto(const pb::OpDef& from, Expansion* expansion) {
  OpDef op;
  op.name = from.name();
  op.kind = OpKind::kCall;
  op.is_stateful = from.is_stateful();
  for (const auto& arg : from.input_arg()) op.inputs.push_back(FromProto(arg));
  for (const auto& arg : from.output_arg()) op.outputs.push_back(FromProto(arg));
  for (const auto& attr : from.attr()) op.attrs.push_back(FromProto(attr, expansion));
  return op;
}

FunctionDef FromProto(const pb::FunctionDef& from, Expansion* expansion) {
  FunctionDef function;
  function.signature = FromProto(from.signature(), expansion);
  for (const pb::NodeDef& node : from.node_def()) function.nodes.push_back(FromProto(node, expansion));
  function.results.insert(from.ret().begin(), from.ret().end());
  function.control_results.insert(from.control_ret().begin(), from.control_ret().end());
  return function;
}

void ToProto(const ArgDef& arg, pb::OpDef::ArgDef* to) {
  to->set_name(arg.name);
  to->set_type(pb::DataType(arg.type));
  to->set_type_attr(arg.type_attr);
  to->set_number_attr(arg.number_attr);
  to->set_type_list_attr(arg.type_list_attr);
  to->set_is_ref(arg.is_ref);
}

void ToProto(const AttrDef& attr, pb::OpDef::AttrDef* to) {
  to->set_name(attr.name);
  const std::string kind(kKindNames[static_cast<size_t>(attr.kind)]);
  to->set_type(attr.is_list ? Str("list(", kind, ")") : kind);
  if (attr.default_value) ToProto(*attr.default_value, to->mutable_default_value());
  to->set_has_minimum(attr.minimum.has_value());
  to->set_minimum(attr.minimum.value_or(0));
  if (!attr.allowed_types.empty()) ToProto(AttrValue(attr.allowed_types), to->mutable_allowed_values());
  if (!attr.allowed_strings.empty()) ToProto(AttrValue(attr.allowed_strings), to->mutable_allowed_values());
}

void ToProto(const FunctionDef& function, pb::FunctionDef* to) {
  pb::OpDef* signature = to->mutable_signature();
  signature->set_name(function.signature.name);
  signature->set_is_stateful(function.signature.is_stateful);
  for (const ArgDef& arg : function.signature.inputs) ToProto(arg, signature->add_input_arg());
  for (const ArgDef& arg : function.signature.outputs) ToProto(arg, signature->add_output_arg());
  for (const AttrDef& attr : function.signature.attrs) ToProto(attr, signature->add_attr());
  for (const NodeDef& node : function.nodes) ToProto(node, to->add_node_def());
  to->mutable_ret()->insert(function.results.begin(), function.results.end());
  to->mutable_control_ret()->insert(function.control_results.begin(), function.control_results.end());
}

}  // namespace

FunctionLibraryDef ParseFunctionLibrary(std::string_view bytes) {
  const auto message = ParseMessage<pb::FunctionDefLibrary>(bytes, "FunctionDefLibrary");
  FunctionLibraryDef library;
  Expansion expansion;
  std::map<std::string, std::string> seen;  // what each function looks like
  for (const pb::FunctionDef& function : message.function()) {
    const std::string& name = function.signature().name();
    const auto [first, is_new] = seen.emplace(name, Serialize(function));
    Require(is_new || first->second == Serialize(function), "the library has two different functions '", name, "'");
    if (!is_new) continue;
    try {
      library.functions.push_back(FromProto(function, &expansion));
    } catch (const Error& error) {
      throw Error(error.status().WithMessage(Str("function '", name, "': ", error.what())));
    }
  }
  for (const pb::GradientDef& gradient : message.gradient()) {
    const auto [first, is_new] = library.gradients.emplace(gradient.function_name(), gradient.gradient_func());
    Require(is_new || first->second == gradient.gradient_func(), "the library names two different gradients of '",
            gradient.function_name(), "': '", first->second, "' and '", gradient.gradient_func(), "'");
  }
  return library;
}

std::string SerializeFunctionLibrary(const FunctionLibraryDef& library) {
  pb::FunctionDefLibrary message;
  for (const FunctionDef& function : library.functions) ToProto(function, message.add_function());
  for (const auto& [function, gradient] : library.gradients) {
    pb::GradientDef* to = message.add_gradient();
    to->set_function_name(function);
    to->set_gradient_func(gradient);
  }
  return Serialize(message);
}

}  // namespace plumb
