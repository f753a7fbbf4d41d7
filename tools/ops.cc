// `plumb ops`: the op catalogue, and where each op is implemented.
#include <cstdio>
#include <nlohmann/json.hpp>
#include <set>

#include "backends/backends.h"
#include "spec/formats/file.h"
#include "spec/ops/catalogue.h"
#include "tools/commands.h"

namespace plumb::tools {
namespace {

std::string_view GradientText(const OpDef& op) {
  using Kind = Differentiation::Kind;
  switch (op.gradient.kind) {
    case Kind::kNotRegistered:
      return "none";
    case Kind::kBlocks:
      return "blocks";
    case Kind::kControlFlow:
    case Kind::kRule:
      return "yes";
  }
  throw Internal("a gradient of no kind");
}

// The types that the op's tensors may have: those of its type attributes and of its fixed arguments.
std::set<std::string> TypesOf(const OpDef& op) {
  std::set<std::string> types;
  for (const AttrDef& attr : op.attrs) {
    if (attr.kind != AttrKind::kType) continue;
    for (const DType type : attr.allowed_types) types.emplace(DTypeName(type));
    if (attr.allowed_types.empty()) types.insert("any");
  }
  for (const auto* args : {&op.inputs, &op.outputs}) {
    for (const ArgDef& arg : *args) {
      if (arg.type != DType::kInvalid) types.emplace(DTypeName(arg.type));
    }
  }
  return types;
}

class Ops : public Command {
 public:
  const char* name() const override { return "ops"; }
  const char* help() const override { return "Lists the ops, their types and where they are implemented."; }
  void Declare(Options& options) override { options.Option("--json", &json_, "write the list to this file instead"); }
  int Run() override { return json_.empty() ? PrintTable() : WriteJson(); }

 private:
  int PrintTable() const {
    std::printf("%-36s %-10s %-10s %-5s %-5s %s\n", "op", "gradient", "reference", "cpu", "gpu", "types");
    for (const OpDef* op : AllOps()) {
      std::string types;
      for (const std::string& type : TypesOf(*op)) types += (types.empty() ? "" : " ") + type;
      std::printf("%-36s %-10s %-10s %-5s %-5s %s\n", op->name.c_str(), std::string(GradientText(*op)).c_str(),
                  Mark("reference", *op), Mark("cpu", *op), "-", types.c_str());
    }
    return 0;
  }
  static const char* Mark(std::string_view backend, const OpDef& op) {
    return IsImplemented(backend, op.name) ? "yes" : "-";
  }
  int WriteJson() const {
    nlohmann::json ops = nlohmann::json::array();
    for (const OpDef* op : AllOps()) {
      ops.push_back({{"name", op->name},
                     {"dtypes", TypesOf(*op)},
                     {"gradient", GradientText(*op)},
                     {"reference", IsImplemented("reference", op->name)},
                     {"cpu", IsImplemented("cpu", op->name)},
                     {"gpu", false}});
    }
    WriteFile(json_, ops.dump(1) + "\n");
    return 0;
  }

  std::string json_;
};

}  // namespace

Command& OpsCommand() {
  static Ops command;
  return command;
}

}  // namespace plumb::tools
