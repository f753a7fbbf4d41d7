#include "spec/ops/dims.h"

#include <algorithm>

namespace plumb {
namespace {

DimPattern ParseDim(TextCursor& cursor) {
  DimPattern dim;
  if (cursor.Accept("?")) return dim;
  if (cursor.AtInteger()) {
    dim.kind = DimPattern::Kind::kSize;
    dim.size = cursor.Integer();
    if (dim.size < 0) cursor.Fail("a dimension must not be negative");
    return dim;
  }
  dim.name = cursor.Name();
  dim.kind = cursor.Accept("...") ? DimPattern::Kind::kRest : DimPattern::Kind::kName;
  return dim;
}

bool IsRest(const DimPattern& dim) { return dim.kind == DimPattern::Kind::kRest; }

PartialShape Part(const PartialShape& shape, size_t begin, size_t end) {
  return PartialShape(std::vector<int64_t>(shape.dims().begin() + begin, shape.dims().begin() + end));
}

}  // namespace

std::string ShapePattern::ToString() const {
  if (is_any) return "?";
  std::string text = "[";
  for (const DimPattern& dim : dims) {
    if (text.size() > 1) text += ' ';
    if (dim.kind == DimPattern::Kind::kAny) text += '?';
    if (dim.kind == DimPattern::Kind::kSize) text += std::to_string(dim.size);
    text += dim.name;
    if (IsRest(dim)) text += "...";
  }
  return text + "]";
}

ShapePattern ParseShapePattern(TextCursor& cursor) {
  ShapePattern pattern;
  pattern.is_any = cursor.Accept("?");
  if (pattern.is_any) return pattern;
  cursor.Expect("[");
  while (!cursor.Accept("]")) pattern.dims.push_back(ParseDim(cursor));
  if (std::count_if(pattern.dims.begin(), pattern.dims.end(), IsRest) > 1) {
    cursor.Fail("a shape has room for one '...'");
  }
  return pattern;
}

ShapeRelation ParseShapeRelation(std::string_view text) {
  TextCursor cursor(text, "the shape pattern");
  ShapeRelation relation;
  while (!cursor.Accept("->")) relation.inputs.push_back(ParseShapePattern(cursor));
  while (!cursor.AtEnd()) relation.outputs.push_back(ParseShapePattern(cursor));
  return relation;
}

bool DimBindings::IsBound(const DimPattern& dim) const {
  switch (dim.kind) {
    case DimPattern::Kind::kName:
      return Size(dim.name) >= 0;
    case DimPattern::Kind::kRest:
      return rests_.contains(dim.name) && rests_.at(dim.name).IsFullyDefined();
    default:
      return true;
  }
}

int64_t DimBindings::Size(const std::string& name) const {
  const auto found = sizes_.find(name);
  return found == sizes_.end() ? -1 : found->second;
}

void DimBindings::BindSize(const std::string& name, int64_t size) {
  if (size < 0) return;
  const int64_t known = Size(name);
  Require(known < 0 || known == size, "the dimension ", name, " is ", known, " by an argument before, and ", size,
          " here");
  sizes_[name] = size;
}

void DimBindings::BindRest(const std::string& name, const PartialShape& dims) {
  PartialShape& known = rests_[name];
  Require(known.IsCompatibleWith(dims), "the dimensions ", name, "... are ", known.ToString(),
          " by an argument before, and ", dims.ToString(), " here");
  known = known.MergeWith(dims);
}

void DimBindings::Match(const ShapePattern& pattern, const PartialShape& shape) {
  if (pattern.is_any || !shape.has_rank()) return;
  const size_t rank = static_cast<size_t>(shape.rank());
  const auto rest = std::find_if(pattern.dims.begin(), pattern.dims.end(), IsRest);
  const bool has_rest = rest != pattern.dims.end();
  const size_t fixed = pattern.dims.size() - (has_rest ? 1 : 0);
  Require(has_rest ? rank >= fixed : rank == fixed, "a shape of ", has_rest ? "at least " : "", fixed,
          " dimensions is needed");
  size_t axis = 0;
  for (const DimPattern& dim : pattern.dims) {
    if (IsRest(dim)) {
      BindRest(dim.name, Part(shape, axis, axis + rank - fixed));
      axis += rank - fixed;
      continue;
    }
    const int64_t size = shape.dim(static_cast<int>(axis++));
    if (dim.kind == DimPattern::Kind::kName) BindSize(dim.name, size);
    Require(dim.kind != DimPattern::Kind::kSize || size < 0 || size == dim.size, "dimension ", axis - 1, " must be ",
            dim.size, ", not ", size);
  }
}

PartialShape DimBindings::Apply(const ShapePattern& pattern) const {
  if (pattern.is_any) return PartialShape::Unknown();
  std::vector<int64_t> dims;
  for (const DimPattern& dim : pattern.dims) {
    if (IsRest(dim)) {
      const auto found = rests_.find(dim.name);
      if (found == rests_.end() || !found->second.has_rank()) return PartialShape::Unknown();
      dims.insert(dims.end(), found->second.dims().begin(), found->second.dims().end());
    } else {
      dims.push_back(dim.kind == DimPattern::Kind::kName ? Size(dim.name) : dim.size);
    }
  }
  return PartialShape(std::move(dims));
}

int64_t CountValues(const ArgDef& arg, const AttrMap& attrs) {
  if (!arg.number_attr.empty()) return GetAttr<int64_t>(attrs, arg.number_attr);
  if (arg.type_list_attr.empty()) return 1;
  return static_cast<int64_t>(GetAttr<std::vector<DType>>(attrs, arg.type_list_attr).size());
}

std::vector<PartialShape> InferByPattern(const ShapeContext& context, std::string_view pattern) {
  const OpDef& op = context.op();
  const ShapeRelation relation = ParseShapeRelation(pattern);
  DimBindings bindings;
  int input = 0;
  for (size_t a = 0; a < op.inputs.size(); ++a) {
    const int64_t end = input + CountValues(op.inputs[a], context.attrs());
    for (; input < std::min<int64_t>(end, context.num_inputs()); ++input) {
      try {
        bindings.Match(relation.inputs[a], context.input(input));
      } catch (const Error& error) {
        throw InvalidArgument("input ", input, " ('", op.inputs[a].name, "') of ", op.name, " has the shape ",
                              context.input(input).ToString(), ", which does not fit ", relation.inputs[a].ToString(),
                              ": ", error.what());
      }
    }
  }
  std::vector<PartialShape> outputs;
  for (size_t a = 0; a < op.outputs.size(); ++a) {
    const int64_t count = CountValues(op.outputs[a], context.attrs());
    for (int64_t i = 0; i < count; ++i) outputs.push_back(bindings.Apply(relation.outputs[a]));
  }
  return outputs;
}

}  // namespace plumb
