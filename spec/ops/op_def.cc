#include "spec/ops/op_def.h"

#include <algorithm>

#include "spec/ops/attr_notation.h"
#include "spec/ops/traits.h"

namespace plumb {
namespace {

// ---- Arguments -----------------------------------------------------------------------------------------------------

class SignatureParser {
 public:
  SignatureParser(std::string_view text, OpDef& op) : cursor_(text, "the signature"), op_(op) {}

  void Parse() {
    op_.name = cursor_.Name();
    op_.inputs = ParseArgs();
    cursor_.Expect("->");
    op_.outputs = ParseArgs();
    while (!cursor_.AtEnd()) ParseFlag();
  }

 private:
  std::vector<ArgDef> ParseArgs() {
    std::vector<ArgDef> args;
    cursor_.Expect("(");
    while (!cursor_.Accept(")")) {
      if (!args.empty()) cursor_.Expect(",");
      args.push_back(ParseArg());
    }
    return args;
  }

  ArgDef ParseArg() {
    ArgDef arg;
    arg.name = cursor_.Name();
    cursor_.Expect(":");
    arg.is_ref = cursor_.Accept("ref");
    if (cursor_.Accept("list")) {
      cursor_.Expect("(");
      arg.type_list_attr = AttrName(AttrKind::kType, true);
      cursor_.Expect(")");
      return arg;
    }
    ParseElementType(arg);
    if (cursor_.Accept("*")) arg.number_attr = AttrName(AttrKind::kInt, false);
    return arg;
  }

  void ParseElementType(ArgDef& arg) {
    std::string name = cursor_.Name();
    const AttrDef* attr = op_.FindAttr(name);
    if (attr != nullptr && attr->kind == AttrKind::kType && !attr->is_list) {
      arg.type_attr = name;
    } else if (const std::optional<DType> type = ParseDType(name)) {
      arg.type = *type;
    } else {
      cursor_.Fail(Str("'", name, "' is neither an element type nor an attribute of kind type"));
    }
    if (!cursor_.Accept("<")) return;
    arg.handle = cursor_.Name();
    cursor_.Expect(">");
  }

  // The name of an attribute that counts values (T*N) or lists types (list(T)): both have a minimum of 1 (rule A5).
  std::string AttrName(AttrKind kind, bool is_list) {
    const std::string name = cursor_.Name();
    for (AttrDef& attr : op_.attrs) {
      if (attr.name != name || attr.kind != kind || attr.is_list != is_list) continue;
      if (!attr.minimum) attr.minimum = 1;
      return name;
    }
    cursor_.Fail(Str("there is no attribute '", name, "' of kind ", is_list ? "list(type)" : "int"));
  }

  void ParseFlag() {
    if (cursor_.Accept("stateful")) {
      op_.is_stateful = true;
    } else if (cursor_.Accept("commutative")) {
      op_.is_commutative = true;
    } else if (cursor_.Accept("aggregate")) {
      op_.is_aggregate = true;
    } else if (cursor_.Accept("allows_uninitialized_input")) {
      op_.allows_uninitialized_input = true;
    } else if (!ParseTrait(cursor_.Name())) {
      cursor_.Fail("a flag is expected: stateful, commutative, aggregate or allows_uninitialized_input, or a trait");
    }
  }

  TextCursor cursor_;
  OpDef& op_;
};

// "T in [floats, int32]; Tidx in [int32]".
std::map<std::string, std::vector<DType>, std::less<>> ParseTypesByAttr(std::string_view text, const OpDef& op,
                                                                        const char* whose) {
  std::map<std::string, std::vector<DType>, std::less<>> types;
  TextCursor cursor(text, whose);
  while (!cursor.AtEnd()) {
    const std::string name = cursor.Name();
    const AttrDef* attr = op.FindAttr(name);
    if (attr == nullptr || attr->kind != AttrKind::kType) cursor.Fail(Str("'", name, "' is no attribute of kind type"));
    cursor.Expect("in");
    types[name] = ParseTypeSet(cursor);
    if (!cursor.AtEnd()) cursor.Expect(";");
  }
  return types;
}

}  // namespace

const std::vector<DType>& OpDef::CpuTypes(const AttrDef& attr) const {
  const auto found = cpu_types.find(attr.name);
  return found == cpu_types.end() ? attr.allowed_types : found->second;
}

const std::vector<DType>& OpDef::GpuTypes(const AttrDef& attr) const {
  if (!gpu_types) return CpuTypes(attr);
  const auto found = gpu_types->find(attr.name);
  return found == gpu_types->end() ? CpuTypes(attr) : found->second;
}

const AttrDef* OpDef::FindAttr(std::string_view attr_name) const {
  const auto found =
      std::find_if(attrs.begin(), attrs.end(), [&](const AttrDef& attr) { return attr.name == attr_name; });
  return found == attrs.end() ? nullptr : &*found;
}

OpDef ParseOpRow(const OpRow& row) {
  OpDef op;
  op.attrs = ParseAttrs(row.attrs);
  SignatureParser(row.signature, op).Parse();
  op.doc = row.doc;
  op.kind = row.kind;
  op.cpu_types = ParseTypesByAttr(row.cpu, op, "the CPU's types");
  if (const std::string_view gpu = row.gpu; !gpu.empty()) {
    op.gpu_types = ParseTypesByAttr(gpu == "all" ? std::string_view() : gpu, op, "the GPU's types");
  }
  op.shape_pattern = row.shape;
  op.shape_fn = row.shape_fn;
  op.strictness = row.strictness;
  op.fold = row.fold;
  op.cost = row.cost;
  op.accuracy = row.accuracy;
  op.gradient = row.gradient;
  op.gradient_trial = row.gradient_trial;
  op.samples.assign(row.samples.begin(), row.samples.end());
  op.deprecated = row.deprecated;
  return op;
}

}  // namespace plumb
