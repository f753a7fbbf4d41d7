#include "spec/ops/listing.h"

#include <algorithm>
#include <map>
#include <set>

#include "spec/ops/attr_notation.h"
#include "spec/ops/catalogue.h"
#include "spec/ops/traits.h"

namespace plumb {
namespace {

std::string Join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string text;
  for (const std::string& part : parts) {
    if (!text.empty()) text += separator;
    text += part;
  }
  return text;
}

std::string ArgText(const ArgDef& arg) {
  const std::string ref = arg.is_ref ? "ref " : "";
  if (!arg.type_list_attr.empty()) return Str(arg.name, ": ", ref, "list(", arg.type_list_attr, ")");
  const std::string type = arg.type_attr.empty() ? std::string(DTypeName(arg.type)) : arg.type_attr;
  return Str(arg.name, ": ", ref, type, arg.number_attr.empty() ? "" : "*" + arg.number_attr);
}

std::string ArgsText(const std::vector<ArgDef>& args) {
  std::vector<std::string> parts;
  parts.reserve(args.size());
  for (const ArgDef& arg : args) parts.push_back(ArgText(arg));
  return "(" + Join(parts, ", ") + ")";
}

bool Has(const std::function<bool(std::string_view)>& implementation, const OpDef& op) {
  return implementation && implementation(op.name);
}

// '|' separates the cells of a table.
std::string Cell(std::string_view text) {
  std::string cell;
  for (const char c : text) cell += c == '|' ? "\\|" : std::string(1, c);
  return cell;
}

std::string TypesCell(const OpDef& op) {
  std::vector<std::string> parts;
  for (const AttrDef& attr : op.attrs) {
    if (attr.kind == AttrKind::kType) parts.push_back(Str(attr.name, ": ", TypesText(attr)));
  }
  return Join(parts, "; ");
}

std::string DeprecationText(const OpDef& op) {
  if (op.deprecated.version == 0) return "";
  return Str(" Deprecated from producer ", op.deprecated.version, " on: ", op.deprecated.explanation, ".");
}

std::string Row(const OpDef& op, const Implementations& where) {
  const auto mark = [&](const auto& implementation) { return Has(implementation, op) ? "✓" : ""; };
  return Str("| `", Cell(SignatureAndTraits(op)), "` | ", Cell(op.doc + DeprecationText(op)), " | ",
             Cell(TypesCell(op)), " | ", GradientText(op), " | ", mark(where.reference), " | ", mark(where.cpu), " | ",
             mark(where.gpu), " |\n");
}

// The catalogue's texts are single lines without control characters.
std::string Quote(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

std::string DeprecationJson(const OpDef& op) {
  if (op.deprecated.version == 0) return "null";
  return Str("{\"version\": ", op.deprecated.version, ", \"explanation\": ", Quote(op.deprecated.explanation), "}");
}

std::string TypesJson(const OpDef& op) {
  std::vector<std::string> parts;
  for (const AttrDef& attr : op.attrs) {
    if (attr.kind != AttrKind::kType) continue;
    std::vector<std::string> types;
    for (const DType type : attr.allowed_types) types.push_back(Quote(DTypeName(type)));
    if (types.empty()) types.push_back(Quote("any"));
    parts.push_back(Str(Quote(attr.name), ": [", Join(types, ", "), "]"));
  }
  return "{" + Join(parts, ", ") + "}";
}

std::map<std::string, std::string_view, std::less<>> FamilyOfEachOp() {
  std::map<std::string, std::string_view, std::less<>> families;
  for (const Topic& topic : Topics()) {
    for (const OpRow& row : topic.rows) families[ParseOpRow(row).name] = topic.family;
  }
  return families;
}

// The types that the op's tensors may have: those of its type attributes and of its fixed arguments.
std::string AllTypesJson(const OpDef& op) {
  std::set<std::string> types;
  for (const AttrDef& attr : op.attrs) {
    if (attr.kind != AttrKind::kType) continue;
    for (const DType type : attr.allowed_types) types.insert(Quote(DTypeName(type)));
    if (attr.allowed_types.empty()) types.insert(Quote("any"));
  }
  for (const auto* args : {&op.inputs, &op.outputs}) {
    for (const ArgDef& arg : *args) {
      if (arg.type != DType::kInvalid) types.insert(Quote(DTypeName(arg.type)));
    }
  }
  return "[" + Join({types.begin(), types.end()}, ", ") + "]";
}

std::string TraitsJson(const OpDef& op) {
  std::vector<std::string> words;
  for (const Trait trait : TraitsOf(op)) words.push_back(Quote(TraitName(trait)));
  return "[" + Join(words, ", ") + "]";
}

std::string Entry(const OpDef& op, std::string_view family, const Implementations& where) {
  return Str("  {\"name\": ", Quote(op.name), ", \"family\": ", Quote(family),
             ",\n   \"signature\": ", Quote(SignatureText(op)), ",\n   \"dtypes\": ", AllTypesJson(op),
             ", \"types\": ", TypesJson(op), ",\n   \"gradient\": ", Quote(GradientText(op)),
             ", \"stateful\": ", op.is_stateful, ", \"traits\": ", TraitsJson(op), ",\n   \"doc\": ", Quote(op.doc),
             ",\n   \"deprecated\": ", DeprecationJson(op), ",\n   \"reference\": ", Has(where.reference, op),
             ", \"cpu\": ", Has(where.cpu, op), ", \"gpu\": ", Has(where.gpu, op), "}");
}

}  // namespace

std::string SignatureText(const OpDef& op) {
  std::string text = Str(op.name, ArgsText(op.inputs), " -> ", ArgsText(op.outputs));
  if (op.is_stateful) text += " stateful";
  if (op.is_commutative) text += " commutative";
  if (op.is_aggregate) text += " aggregate";
  if (op.allows_uninitialized_input) text += " allows_uninitialized_input";
  return text;
}

std::string SignatureAndTraits(const OpDef& op) {
  std::string text = SignatureText(op);
  for (const Trait trait : TraitsOf(op)) text += Str(" ", TraitName(trait));
  return text;
}

std::string TypesText(const AttrDef& attr) {
  if (attr.allowed_types.empty()) return "any";
  std::vector<DType> left = attr.allowed_types;
  std::vector<std::string> parts;
  for (const char* name : {"numbers", "floats", "ints", "complexes", "quantized"}) {
    const std::vector<DType>& set = *FindTypeSet(name);
    const auto is_left = [&](DType type) { return std::find(left.begin(), left.end(), type) != left.end(); };
    if (!std::all_of(set.begin(), set.end(), is_left)) continue;
    parts.emplace_back(name);
    std::erase_if(left, [&](DType type) { return std::find(set.begin(), set.end(), type) != set.end(); });
  }
  for (const DType type : left) parts.emplace_back(DTypeName(type));
  return Join(parts, ", ");
}

std::string_view GradientText(const OpDef& op) {
  switch (op.gradient.kind) {
    case Differentiation::Kind::kNotRegistered:
      return "not registered";
    case Differentiation::Kind::kBlocks:
      return "blocks";
    case Differentiation::Kind::kControlFlow:
      return "by control flow";
    case Differentiation::Kind::kRule:
      return "yes";
  }
  throw Internal("a kind of differentiation without a name");
}

std::string OpsMarkdown(const Implementations& implementations) {
  std::string page =
      "# Ops\n\nThe catalogue (`spec/ops/`), printed by `plumb ops`. Sets of types: floats (float16, bfloat16, "
      "float32, "
      "float64), complexes (complex64, complex128), ints (int8 … int64, uint8 … uint64), numbers (all of these), "
      "quantized.\n";
  std::string_view family;
  for (const Topic& topic : Topics()) {
    if (topic.family != family) {
      page += Str("\n## ", topic.family, "\n\n| op | meaning | types | gradient | reference | cpu | gpu |\n",
                  "|---|---|---|---|---|---|---|\n");
    }
    family = topic.family;
    for (const OpRow& row : topic.rows) page += Row(ParseOpRow(row), implementations);
  }
  return page;
}

std::string OpsJson(const Implementations& implementations) {
  const auto families = FamilyOfEachOp();
  std::vector<std::string> entries;
  for (const OpDef* op : AllOps()) entries.push_back(Entry(*op, families.at(op->name), implementations));
  return "[\n" + Join(entries, ",\n") + "\n]\n";
}

}  // namespace plumb
