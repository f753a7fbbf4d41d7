#include "spec/ops/op_def.h"

#include <algorithm>
#include <array>

#include "spec/ops/text_cursor.h"

namespace plumb {
namespace {

// ---- Sets of types -------------------------------------------------------------------------------------------------

const std::vector<DType>* NamedTypes(std::string_view name) {
  using enum DType;
  static const std::vector<DType> floats = {kHalf, kBfloat16, kFloat, kDouble};
  static const std::vector<DType> complexes = {kComplex64, kComplex128};
  static const std::vector<DType> ints = {kInt8, kInt16, kInt32, kInt64, kUint8, kUint16, kUint32, kUint64};
  static const std::vector<DType> quantized = {kQint8, kQuint8, kQint16, kQuint16, kQint32};
  static const std::vector<DType> numbers = [] {
    std::vector<DType> all = floats;
    all.insert(all.end(), ints.begin(), ints.end());
    all.insert(all.end(), complexes.begin(), complexes.end());
    return all;
  }();
  if (name == "floats") return &floats;
  if (name == "complexes") return &complexes;
  if (name == "ints") return &ints;
  if (name == "quantized") return &quantized;
  if (name == "numbers") return &numbers;
  return nullptr;
}

DType ParseType(TextCursor& cursor) {
  const std::string name = cursor.Name();
  const std::optional<DType> type = ParseDType(name);
  if (!type) cursor.Fail(Str("'", name, "' is no element type"));
  return *type;
}

std::vector<DType> ParseTypeSet(TextCursor& cursor) {
  std::vector<DType> types;
  cursor.Expect("[");
  do {
    const std::string name = cursor.Name();
    if (const std::vector<DType>* set = NamedTypes(name)) {
      types.insert(types.end(), set->begin(), set->end());
    } else if (const std::optional<DType> type = ParseDType(name)) {
      types.push_back(*type);
    } else {
      cursor.Fail(Str("'", name, "' is neither an element type nor a set of them"));
    }
  } while (cursor.Accept(","));
  cursor.Expect("]");
  return types;
}

// ---- Attributes ----------------------------------------------------------------------------------------------------

AttrKind ParseKind(TextCursor& cursor) {
  static constexpr std::array<std::pair<std::string_view, AttrKind>, 8> kinds = {{
      {"string", AttrKind::kString},
      {"int", AttrKind::kInt},
      {"float", AttrKind::kFloat},
      {"bool", AttrKind::kBool},
      {"type", AttrKind::kType},
      {"shape", AttrKind::kShape},
      {"tensor", AttrKind::kTensor},
      {"func", AttrKind::kFunc},
  }};
  for (const auto& [name, kind] : kinds) {
    if (cursor.Accept(name)) return kind;
  }
  cursor.Fail("a kind is expected: string, int, float, bool, type, shape, tensor, func or list(KIND)");
}

// "?" is an unknown rank; in a list of dimensions it is an unknown dimension.
PartialShape ParseShape(TextCursor& cursor) {
  if (cursor.Accept("?")) return PartialShape::Unknown();
  std::vector<int64_t> dims;
  cursor.Expect("[");
  while (!cursor.Accept("]")) {
    if (!dims.empty()) cursor.Expect(",");
    dims.push_back(cursor.Accept("?") ? -1 : cursor.Integer());
  }
  return PartialShape(std::move(dims));
}

bool ParseBool(TextCursor& cursor) {
  if (cursor.Accept("true")) return true;
  cursor.Expect("false");
  return false;
}

// The one default of kind tensor among TensorFlow's ops is not spelled out in the listing.
Tensor ParseTensor(TextCursor& cursor) {
  cursor.Expect("<tensor>");
  return Tensor();
}

template <class ParseElement>
AttrValue ParseDefault(TextCursor& cursor, bool is_list, ParseElement parse) {
  using Element = decltype(parse(cursor));
  if (!is_list) return AttrValue(parse(cursor));
  std::vector<Element> values;
  cursor.Expect("[");
  while (!cursor.Accept("]")) {
    if (!values.empty()) cursor.Expect(",");
    values.push_back(parse(cursor));
  }
  return AttrValue(std::move(values));
}

AttrValue ParseDefault(TextCursor& cursor, const AttrDef& attr) {
  switch (attr.kind) {
    case AttrKind::kString:
      return ParseDefault(cursor, attr.is_list, [](TextCursor& c) { return c.Quoted(); });
    case AttrKind::kInt:
      return ParseDefault(cursor, attr.is_list, [](TextCursor& c) { return c.Integer(); });
    case AttrKind::kFloat:
      return ParseDefault(cursor, attr.is_list, [](TextCursor& c) { return static_cast<float>(c.Number()); });
    case AttrKind::kBool:
      return ParseDefault(cursor, attr.is_list, ParseBool);
    case AttrKind::kType:
      return ParseDefault(cursor, attr.is_list, ParseType);
    case AttrKind::kShape:
      return ParseDefault(cursor, attr.is_list, ParseShape);
    case AttrKind::kTensor:
      return ParseDefault(cursor, attr.is_list, ParseTensor);
    case AttrKind::kFunc:
      break;
  }
  cursor.Fail("a function has no default");
}

std::vector<std::string> ParseStringSet(TextCursor& cursor) {
  std::vector<std::string> strings;
  cursor.Expect("[");
  do {
    strings.push_back(cursor.Quoted());
  } while (cursor.Accept(","));
  cursor.Expect("]");
  return strings;
}

// name: KIND, then minimum, default and allowed values in any order.
AttrDef ParseAttr(TextCursor& cursor) {
  AttrDef attr;
  attr.name = cursor.Name();
  cursor.Expect(":");
  attr.is_list = cursor.Accept("list");
  if (attr.is_list) cursor.Expect("(");
  attr.kind = ParseKind(cursor);
  if (attr.is_list) cursor.Expect(")");
  while (!cursor.AtEnd() && cursor.Peek() != ';') {
    if (cursor.Accept(">=")) {
      attr.minimum = cursor.Integer();
    } else if (cursor.Accept("=")) {
      attr.default_value = ParseDefault(cursor, attr);
    } else if (cursor.Accept("in")) {
      if (attr.kind == AttrKind::kString) {
        attr.allowed_strings = ParseStringSet(cursor);
      } else {
        attr.allowed_types = ParseTypeSet(cursor);
      }
    } else {
      cursor.Fail("'>= minimum', '= default', 'in [...]' or ';' is expected");
    }
  }
  return attr;
}

std::vector<AttrDef> ParseAttrs(std::string_view text) {
  TextCursor cursor(text, "the attribute list");
  std::vector<AttrDef> attrs;
  while (!cursor.AtEnd()) {
    if (!attrs.empty()) cursor.Expect(";");
    attrs.push_back(ParseAttr(cursor));
  }
  return attrs;
}

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
    const std::string name = cursor_.Name();
    const AttrDef* attr = op_.FindAttr(name);
    if (attr != nullptr && attr->kind == AttrKind::kType && !attr->is_list) {
      arg.type_attr = name;
    } else if (const std::optional<DType> type = ParseDType(name)) {
      arg.type = *type;
    } else {
      cursor_.Fail(Str("'", name, "' is neither an element type nor an attribute of kind type"));
    }
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
    } else {
      cursor_.Fail("a flag is expected: stateful, commutative, aggregate or allows_uninitialized_input");
    }
  }

  TextCursor cursor_;
  OpDef& op_;
};

}  // namespace

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
  op.shape_pattern = row.shape;
  op.shape_fn = row.shape_fn;
  op.accuracy = row.accuracy;
  op.gradient = row.gradient;
  op.sample = row.sample;
  return op;
}

}  // namespace plumb
