#include "spec/ops/attr_notation.h"

#include <array>

namespace plumb {
namespace {

DType ParseType(TextCursor& cursor) {
  const std::string name = cursor.Name();
  const std::optional<DType> type = ParseDType(name);
  if (!type) cursor.Fail(Str("'", name, "' is no element type"));
  return *type;
}

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

// The one default of kind tensor among TensorFlow's ops is not spelled out in the listing: red, of ImageSummary.
Tensor ParseTensor(TextCursor& cursor) {
  cursor.Expect("<tensor>");
  return MakeVector<uint8_t>({255, 0, 0, 255});
}

template <class ParseElement>
AttrValue ParseValue(TextCursor& cursor, bool is_list, ParseElement parse) {
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
      attr.default_value = ParseAttrValue(cursor, attr);
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

}  // namespace

const std::vector<DType>* FindTypeSet(std::string_view name) {
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

std::vector<DType> ParseTypeSet(TextCursor& cursor) {
  std::vector<DType> types;
  cursor.Expect("[");
  do {
    const std::string name = cursor.Name();
    if (const std::vector<DType>* set = FindTypeSet(name)) {
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

AttrValue ParseAttrValue(TextCursor& cursor, const AttrDef& attr) {
  switch (attr.kind) {
    case AttrKind::kString:
      return ParseValue(cursor, attr.is_list, [](TextCursor& c) { return c.Quoted(); });
    case AttrKind::kInt:
      return ParseValue(cursor, attr.is_list, [](TextCursor& c) { return c.Integer(); });
    case AttrKind::kFloat:
      return ParseValue(cursor, attr.is_list, [](TextCursor& c) { return static_cast<float>(c.Number()); });
    case AttrKind::kBool:
      return ParseValue(cursor, attr.is_list, ParseBool);
    case AttrKind::kType:
      return ParseValue(cursor, attr.is_list, ParseType);
    case AttrKind::kShape:
      return ParseValue(cursor, attr.is_list, ParseShape);
    case AttrKind::kTensor:
      return ParseValue(cursor, attr.is_list, ParseTensor);
    case AttrKind::kFunc:
      break;
  }
  cursor.Fail("a function cannot be written here");
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

}  // namespace plumb
