#include "client/generate/op_function.h"

#include <algorithm>

namespace plumb {
namespace {

bool IsList(const ArgDef& arg) { return !arg.number_attr.empty() || !arg.type_list_attr.empty(); }
std::string OutputType(const ArgDef& arg) { return IsList(arg) ? "std::vector<Output>" : "Output"; }
std::string LengthAttr(const ArgDef& arg) { return arg.type_list_attr.empty() ? arg.number_attr : arg.type_list_attr; }

// Lines of at most 110 characters, each after "// ".
std::string Comment(const std::string& text) {
  std::string out;
  std::string line;
  size_t at = 0;
  while (at < text.size()) {
    const size_t end = std::min(text.find_first_of(" \n", at), text.size());
    if (line.size() + end - at > 110) {
      out += "//" + line + "\n";
      line.clear();
    }
    line += " " + text.substr(at, end - at);
    at = end + 1;
  }
  return line.empty() ? out : out + "//" + line + "\n";
}

}  // namespace

OpFunction::OpFunction(const OpDef& op) : op_(op) {
  for (const AttrDef& attr : op.attrs) {
    if (IsInferred(attr)) continue;
    (attr.default_value ? optional_ : required_).push_back(&attr);
  }
}

bool OpFunction::IsInferred(const AttrDef& attr) const {
  return std::any_of(op_.inputs.begin(), op_.inputs.end(), [&](const ArgDef& arg) {
    return arg.type_attr == attr.name || arg.number_attr == attr.name || arg.type_list_attr == attr.name;
  });
}

std::string OpFunction::AttrsStruct() const {
  std::string text =
      "struct " + op_.name + "Attrs {\n  std::string name = \"\";  // of the node; empty: the op's name\n";
  for (const AttrDef* attr : optional_) {
    const std::string member = attr->name == "name" ? "name_" : CppName(attr->name);
    text += "  " + CppTypeOfAttr(*attr) + " " + member + " = " + CppDefaultOf(*attr) + ";\n";
  }
  return text + "};\n";
}

std::string OpFunction::OutputsStruct() const {
  if (op_.outputs.size() < 2) return "";
  std::string text = "struct " + op_.name + "Outputs {\n";
  for (const ArgDef& output : op_.outputs) text += "  " + OutputType(output) + " " + CppName(output.name) + ";\n";
  return text + "};\n";
}

std::string OpFunction::ReturnType() const {
  if (op_.outputs.empty()) return "NodeId";
  return op_.outputs.size() == 1 ? OutputType(op_.outputs[0]) : op_.name + "Outputs";
}

std::string OpFunction::Parameters() const {
  std::string text = "Scope& scope";
  for (const ArgDef& input : op_.inputs) {
    text += (IsList(input) ? ", const std::vector<Output>& " : ", Output ") + CppName(input.name);
  }
  for (const AttrDef* attr : required_) text += ", " + CppTypeOfAttr(*attr) + " " + CppName(attr->name);
  return text + ", const " + op_.name + "Attrs& attrs";
}

std::string OpFunction::Declaration() const {
  return "\n" + Comment(op_.doc) + AttrsStruct() + OutputsStruct() + ReturnType() + " " + op_.name + "(" +
         Parameters() + " = {});\n";
}

std::string OpFunction::Body() const {
  std::string text = "  std::vector<Output> inputs;\n  AttrMap map;\n";
  for (const ArgDef& input : op_.inputs) text += "  Append(inputs, " + CppName(input.name) + ");\n";
  for (const AttrDef* attr : required_) {
    text += "  map.emplace(\"" + attr->name + "\", AttrValue(std::move(" + CppName(attr->name) + ")));\n";
  }
  for (const AttrDef* attr : optional_) {
    const std::string member = attr->name == "name" ? "name_" : CppName(attr->name);
    text += "  map.emplace(\"" + attr->name + "\", AttrValue(attrs." + member + "));\n";
  }
  return text + "  const NodeId node = scope.Add(\"" + op_.name + "\", inputs, std::move(map), attrs.name);\n";
}

std::string OpFunction::ReturnStatement() const {
  if (op_.outputs.empty()) return "  return node;\n";
  std::string text;
  for (const ArgDef& output : op_.outputs) {
    if (!text.empty()) text += ", ";
    text += IsList(output) ? "taker.Many(\"" + LengthAttr(output) + "\")" : "taker.One()";
  }
  const bool single = op_.outputs.size() == 1;
  return "  OutputTaker taker(scope, node);\n  return " + (single ? text : "{" + text + "}") + ";\n";
}

std::string OpFunction::Definition() const {
  return "\n" + ReturnType() + " " + op_.name + "(" + Parameters() + ") {\n" + Body() + ReturnStatement() + "}\n";
}

}  // namespace plumb
