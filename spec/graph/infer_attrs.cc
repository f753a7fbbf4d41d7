#include "spec/graph/infer_attrs.h"

#include <set>

namespace plumb {
namespace {

// The attribute that says how many inputs an argument takes; empty: it takes one.
const std::string& LengthAttr(const ArgDef& arg) {
  return arg.type_list_attr.empty() ? arg.number_attr : arg.type_list_attr;
}

// The length that `attrs` gives to an argument, or -1 when it says nothing.
int64_t GivenLength(const ArgDef& arg, const AttrMap& attrs) {
  const std::string& name = LengthAttr(arg);
  if (name.empty()) return 1;
  if (attrs.find(name) == attrs.end()) return -1;
  if (arg.type_list_attr.empty()) return GetAttr<int64_t>(attrs, name);
  return static_cast<int64_t>(GetAttr<std::vector<DType>>(attrs, name).size());
}

// How many inputs each argument takes. One length may be open; the inputs that the others leave over give it.
std::vector<int64_t> DivideInputs(const OpDef& op, int64_t inputs, const AttrMap& attrs) {
  std::vector<int64_t> lengths;
  std::set<std::string> open;
  int64_t open_args = 0;
  int64_t left = inputs;
  for (const ArgDef& arg : op.inputs) {
    lengths.push_back(GivenLength(arg, attrs));
    if (lengths.back() >= 0) {
      left -= lengths.back();
    } else {
      ++open_args;
      open.insert(LengthAttr(arg));
    }
  }
  Require(open.size() <= 1, op.name, ": the attribute '", open.empty() ? "" : *open.begin(),
          "' must be given, for the inputs alone do not tell where each argument ends");
  const bool fits = open_args == 0 ? left == 0 : left >= 0 && left % open_args == 0;
  Require(fits, op.name, " was given ", inputs, " inputs, which do not divide into its arguments");
  if (open_args == 0) return lengths;
  for (int64_t& length : lengths) {
    if (length < 0) length = left / open_args;
  }
  return lengths;
}

}  // namespace

void InferAttrs(const OpDef& op, std::span<const DType> input_types, AttrMap& attrs) {
  const auto lengths = DivideInputs(op, static_cast<int64_t>(input_types.size()), attrs);
  size_t next = 0;
  for (size_t i = 0; i < op.inputs.size(); ++i) {
    const ArgDef& arg = op.inputs[i];
    const auto types = input_types.subspan(next, static_cast<size_t>(lengths[i]));
    next += types.size();
    if (!arg.number_attr.empty()) attrs.emplace(arg.number_attr, lengths[i]);
    if (!arg.type_attr.empty() && !types.empty()) attrs.emplace(arg.type_attr, Base(types[0]));
    if (!arg.type_list_attr.empty()) {
      std::vector<DType> list;
      for (const DType type : types) list.push_back(Base(type));
      attrs.emplace(arg.type_list_attr, std::move(list));
    }
  }
}

}  // namespace plumb
