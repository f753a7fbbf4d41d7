#include "spec/samples/case_sampler.h"

#include <algorithm>
#include <cctype>
#include <functional>

namespace plumb {
namespace {

std::string_view FlavourName(Flavour flavour) {
  switch (flavour) {
    case Flavour::kOrdinary:
      return "ordinary values";
    case Flavour::kSpecial:
      return "special values";
    case Flavour::kEmpty:
      return "empty";
    case Flavour::kLong:
      return "long";
    case Flavour::kLarge:
      return "large";
  }
  throw Internal("a flavour without a name");
}

bool Contains(const std::vector<DType>& types, DType type) {
  return std::find(types.begin(), types.end(), type) != types.end();
}

// What an attribute of kind type is when nobody says: its default, or float32 or int32 if it may be one of them.
DType PreferredType(const SampleStatement& statement, const AttrDef& attr) {
  std::vector<DType> allowed = attr.allowed_types;
  for (const SampleSetting& setting : statement.settings) {
    if (setting.attr == &attr && !setting.types.empty()) allowed = setting.types;
  }
  std::vector<DType> wanted = {DType::kFloat, DType::kInt32};
  if (attr.default_value) wanted.insert(wanted.begin(), *attr.default_value->Get<DType>());
  for (const DType type : wanted) {
    if (allowed.empty() || Contains(allowed, type)) return type;
  }
  return allowed.front();
}

bool AllowsTypes(const SampleStatement& statement, const AttrMap& attrs) {
  return std::all_of(statement.settings.begin(), statement.settings.end(), [&](const SampleSetting& setting) {
    return setting.types.empty() || Contains(setting.types, GetAttr<DType>(attrs, setting.attr->name));
  });
}

// Every shape of an input, to draw its names.
void ForEachShape(const SampleInput& input, const std::function<void(const ShapePattern&)>& visit) {
  for (const SampleInput& item : input.items) ForEachShape(item, visit);
  if (const auto* random = std::get_if<RandomInput>(&input.value); random != nullptr && !input.is_list) {
    visit(random->shape);
  }
}

// A variable's handle is drawn as the variable's value, whose type is the op's attribute for it.
DType TypeOf(const OpDef& op, const ArgDef& arg, size_t i, const AttrMap& attrs) {
  if (!arg.type_attr.empty()) return GetAttr<DType>(attrs, arg.type_attr);
  if (!arg.type_list_attr.empty()) return GetAttr<std::vector<DType>>(attrs, arg.type_list_attr).at(i);
  if (arg.type != DType::kResource) return arg.type;
  for (const char* name : {"dtype", "T"}) {
    if (op.FindAttr(name) != nullptr) return GetAttr<DType>(attrs, name);
  }
  return DType::kFloat;
}

Freedom FreedomOf(const SampleInput& input, DType dtype) {
  const auto* const random = std::get_if<RandomInput>(&input.value);
  if (random == nullptr || random->rule.low || random->rule.positive || random->rule.permutation ||
      random->rule.sorted) {
    return Freedom::kThis;
  }
  if (random->rule.nonzero && IsInteger(dtype)) return Freedom::kThis;
  return random->rule.finite ? Freedom::kFinite : Freedom::kAny;
}

// What the statement says is the same as an attribute of the tried op.
void TakeSame(const SampleStatement& statement, const AttrMap& tried, AttrMap& attrs) {
  for (const SampleSetting& setting : statement.settings) {
    if (setting.same_as.empty()) continue;
    const AttrValue same = tried.at(setting.same_as);
    const DType* const type = setting.attr->is_list ? same.Get<DType>() : nullptr;
    attrs.insert_or_assign(setting.attr->name, type != nullptr ? AttrValue(std::vector<DType>{*type}) : same);
  }
}

}  // namespace

std::optional<SampledCase> CaseSampler::Draw(const AttrMap& types) {
  const SampleStatement& tried = alternative_.tried;
  SampledCase result;
  result.attrs = types;
  ShapeAttrs shapes;
  Choose(tried, result.attrs, shapes);
  TakeSame(tried, result.attrs, result.attrs);
  if (!AllowsTypes(tried, result.attrs)) return std::nullopt;
  result.before = DrawNodes(alternative_.before, result.attrs);
  DrawNames(tried, shapes);
  if (flavour_ == Flavour::kEmpty && names_to_chosen_ >= 0) return std::nullopt;
  Complete(tried, shapes, result.attrs);
  for (SampledInput& input : DrawInputs(tried, result.attrs, &result.freedoms)) {
    if (auto* output = std::get_if<SampledOutput>(&input)) result.from[result.inputs.size()] = std::move(*output);
    result.inputs.push_back(std::holds_alternative<Tensor>(input) ? std::get<Tensor>(std::move(input)) : Tensor());
  }
  result.after = DrawNodes(alternative_.after, result.attrs);
  if (flavour_ == Flavour::kLong && names_to_chosen_ >= 0) return std::nullopt;
  result.label = Str(alternative_.text, ", ", FlavourName(flavour_));
  return result;
}

std::vector<SampledNode> CaseSampler::DrawNodes(const std::vector<SampleStatement>& nodes, const AttrMap& tried) {
  std::vector<SampledNode> drawn;
  for (const SampleStatement& node : nodes) {
    AttrMap attrs;
    TakeSame(node, tried, attrs);
    ShapeAttrs shapes;
    Choose(node, attrs, shapes);
    DrawNames(node, shapes);
    Complete(node, shapes, attrs);
    std::vector<SampledInput> inputs = DrawInputs(node, attrs);
    drawn.push_back({node.name, node.op, std::move(attrs), std::move(inputs)});
  }
  return drawn;
}

// ---- Attributes ----------------------------------------------------------------------------------------------------

void CaseSampler::Choose(const SampleStatement& statement, AttrMap& attrs, ShapeAttrs& shapes) {
  for (const SampleSetting& setting : statement.settings) {
    if (setting.choices.empty()) continue;
    const SampleChoice& choice = setting.choices[random_.Below(static_cast<int64_t>(setting.choices.size()))];
    if (const auto* value = std::get_if<AttrValue>(&choice)) attrs.emplace(setting.attr->name, *value);
    if (const auto* shape = std::get_if<ShapePattern>(&choice)) shapes.emplace_back(setting.attr, shape);
  }
  for (const AttrDef& attr : statement.op->attrs) {
    if (attr.kind == AttrKind::kType && !attr.is_list) attrs.emplace(attr.name, PreferredType(statement, attr));
  }
}

void CaseSampler::Complete(const SampleStatement& statement, const ShapeAttrs& shapes, AttrMap& attrs) {
  const OpDef& op = *statement.op;
  for (const auto& [attr, shape] : shapes) attrs.emplace(attr->name, ShapeAttr(*attr, *shape, attrs));
  for (size_t a = 0; a < op.inputs.size(); ++a) {
    const std::string& number = op.inputs[a].number_attr;
    const SampleInput& input = statement.inputs[a];
    if (!number.empty() && input.is_list) attrs.emplace(number, static_cast<int64_t>(input.items.size()));
    if (!number.empty() && !input.is_list) attrs.emplace(number, int64_t{3});
  }
  for (const AttrDef& attr : op.attrs) {
    if (attr.default_value) attrs.emplace(attr.name, *attr.default_value);
    Require(attrs.contains(attr.name), "no sample of ", op_.name, " without the attribute '", attr.name, "' of ",
            op.name);
  }
}

AttrValue CaseSampler::ShapeAttr(const AttrDef& attr, const ShapePattern& pattern, const AttrMap& attrs) {
  if (attr.kind == AttrKind::kShape) return bindings_.Apply(pattern);
  // Of a value that another attribute gives a type to, or of the type of its own default.
  const DType dtype =
      attrs.contains("dtype") ? GetAttr<DType>(attrs, "dtype") : attr.default_value->Get<Tensor>()->dtype();
  return RandomTensor(dtype, bindings_.Apply(pattern).ToShape(), Range({}, dtype), random_);
}

// ---- Sizes ---------------------------------------------------------------------------------------------------------

void CaseSampler::DrawNames(const SampleStatement& statement, const ShapeAttrs& shapes) {
  for (const SampleInput& input : statement.inputs) {
    ForEachShape(input, [this](const ShapePattern& shape) { DrawNames(shape); });
  }
  for (const auto& [attr, shape] : shapes) DrawNames(*shape);
}

void CaseSampler::DrawNames(const ShapePattern& shape) {
  for (const DimPattern& dim : shape.dims) {
    if (bindings_.IsBound(dim)) continue;
    if (dim.kind == DimPattern::Kind::kRest) {
      bindings_.BindRest(dim.name, DrawRest());
    } else {
      DrawSize(dim.name);
    }
  }
}

// One to four, sometimes more; 0 for the chosen one of the names that allow it when something is to be empty.
int64_t CaseSampler::DrawSize(const std::string& name) {
  const bool may_be_empty = std::islower(static_cast<unsigned char>(name[0])) != 0;
  int64_t size = 1 + random_.Below(random_.Chance(6) ? 19 : 4);
  if (may_be_empty && IsChosen(Flavour::kEmpty)) size = 0;
  if (IsChosen(Flavour::kLong)) size = LongSize();
  size = GivenSize().value_or(size);
  bindings_.BindSize(name, size);
  return size;
}

std::optional<int64_t> CaseSampler::GivenSize() {
  const size_t place = names_drawn_++;
  return place < given_sizes_.size() ? std::optional(given_sizes_[place]) : std::nullopt;
}

PartialShape CaseSampler::DrawRest() {
  const bool empty = IsChosen(Flavour::kEmpty);
  const int64_t least = flavour_ == Flavour::kSpecial ? 0 : 1;
  std::vector<int64_t> dims(static_cast<size_t>(least + random_.Below(3)));
  for (int64_t& dim : dims) dim = 1 + random_.Below(4);
  if (!dims.empty() && random_.Chance(3)) dims.back() = 5 + random_.Below(32);
  if (IsChosen(Flavour::kLong)) dims.back() = LongSize();
  if (const auto given = GivenSize(); given && !dims.empty()) {
    dims.back() = 1;
    dims.back() = std::max<int64_t>(1, *given / Shape(dims).elements());
  }
  if (empty) dims[static_cast<size_t>(random_.Below(static_cast<int64_t>(dims.size())))] = 0;
  return PartialShape(std::move(dims));
}

double CaseSampler::Resolve(const SampleNumber& number) {
  if (number.name.empty()) return number.value;
  const int64_t size = bindings_.Size(number.name);
  return static_cast<double>(size >= 0 ? size : DrawSize(number.name));
}

// The shape, with something for its nameless parts.
Shape CaseSampler::Draw(const ShapePattern& pattern) {
  ShapePattern named = pattern;
  if (named.is_any) return DrawRest().ToShape();
  for (DimPattern& dim : named.dims) {
    if (dim.kind == DimPattern::Kind::kAny) dim = {DimPattern::Kind::kSize, "", 1 + random_.Below(4)};
  }
  return bindings_.Apply(named).ToShape();
}

// ---- Values --------------------------------------------------------------------------------------------------------

std::vector<SampledInput> CaseSampler::DrawInputs(const SampleStatement& statement, const AttrMap& attrs,
                                                  std::vector<Freedom>* freedoms) {
  const OpDef& op = *statement.op;
  std::vector<SampledInput> inputs;
  for (size_t a = 0; a < op.inputs.size(); ++a) {
    const ArgDef& arg = op.inputs[a];
    const SampleInput& input = statement.inputs[a];
    const int64_t count = CountValues(arg, attrs);
    Require(!input.is_list || static_cast<int64_t>(input.items.size()) == count, "the sample of ", op_.name, " has ",
            input.items.size(), " values for the argument '", arg.name, "' of ", count);
    for (int64_t i = 0; i < count; ++i) {
      const SampleInput& one = input.is_list ? input.items[static_cast<size_t>(i)] : input;
      const DType dtype = TypeOf(op, arg, static_cast<size_t>(i), attrs);
      inputs.push_back(DrawInput(one, dtype));
      if (freedoms != nullptr) freedoms->push_back(FreedomOf(one, dtype));
    }
  }
  return inputs;
}

SampledInput CaseSampler::DrawInput(const SampleInput& input, DType dtype) {
  if (const auto* output = std::get_if<SampledOutput>(&input.value)) return *output;
  if (const auto* constant = std::get_if<SampleConstant>(&input.value)) return ConstantTensor(*constant, dtype);
  const RandomInput& random = std::get<RandomInput>(input.value);
  const Shape shape = Draw(random.shape);
  if (random.rule.permutation) return RandomPermutation(dtype, shape, random_);
  const ValueRange range = Range(random.rule, dtype);
  return random.rule.sorted ? SortedRows(dtype, shape, range, random_) : RandomTensor(dtype, shape, range, random_);
}

ValueRange CaseSampler::Range(const SampleRule& rule, DType dtype) {
  ValueRange range;
  range.bounded = rule.low.has_value();
  if (range.bounded) {
    range.low = Resolve(*rule.low);
    range.high = Resolve(*rule.high);
  }
  range.positive = rule.positive;
  range.nonzero = rule.nonzero;
  if (flavour_ == Flavour::kSpecial && !rule.finite) range.specials = SpecialsFor(dtype);
  return range;
}

// Formulas on complex numbers part ways at infinity, and a sum that overflows on its way depends on its order.
Specials CaseSampler::SpecialsFor(DType dtype) const {
  const Accuracy accuracy = op_.accuracy.For(dtype);
  const bool elementwise = accuracy.kind == AccuracyClass::kExact || accuracy.kind == AccuracyClass::kUlps;
  if (elementwise || IsInteger(dtype)) return Specials::kAll;
  return IsComplex(dtype) ? Specials::kNone : Specials::kNoExtremes;
}

void CaseSampler::Flatten(const SampleConstant& constant, size_t depth, std::vector<int64_t>& dims,
                          std::vector<const SampleConstant*>& leaves) const {
  if (!constant.is_list) return leaves.push_back(&constant);
  if (dims.size() == depth) dims.push_back(static_cast<int64_t>(constant.items.size()));
  for (const SampleConstant& item : constant.items) Flatten(item, depth + 1, dims, leaves);
}

Tensor CaseSampler::ConstantTensor(const SampleConstant& constant, DType dtype) {
  std::vector<int64_t> dims;
  std::vector<const SampleConstant*> leaves;
  Flatten(constant, 0, dims, leaves);
  Tensor tensor(dtype, Shape(dims));
  Require(tensor.elements() == static_cast<int64_t>(leaves.size()), "a constant in the sample of ", op_.name,
          " has rows of different lengths");
  VisitType(dtype, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    const auto data = tensor.mutable_data<T>();
    for (size_t i = 0; i < leaves.size(); ++i) {
      if constexpr (std::is_same_v<T, std::string>) {
        Require(leaves[i]->text.has_value(), "a constant string in the sample of ", op_.name, " is written 'so'");
        data[i] = *leaves[i]->text;
      } else if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
        // What is negative goes around in an unsigned type.
        data[i] = static_cast<T>(static_cast<int64_t>(static_cast<float>(Resolve(leaves[i]->number))));
      } else if constexpr (requires { static_cast<T>(static_cast<float>(1.0)); }) {
        data[i] = static_cast<T>(static_cast<float>(Resolve(leaves[i]->number)));
      } else {
        throw InvalidArgument("a constant in the sample of ", op_.name, " cannot be of type ", DTypeName(dtype));
      }
    }
  });
  return tensor;
}

}  // namespace plumb
