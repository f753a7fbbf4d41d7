#include "spec/ops/sample.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <optional>

#include "spec/ops/sample_notation.h"
#include "spec/ops/sample_values.h"

namespace plumb {
namespace {

enum class Flavour { kOrdinary, kSpecial, kEmpty, kLong };

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
  }
  throw Internal("a flavour without a name");
}

// Every shape of an alternative, to draw its names.
void ForEachShape(const SampleInput& input, const std::function<void(ShapePattern)>& visit) {
  for (const SampleInput& item : input.items) ForEachShape(item, visit);
  if (const auto* random = std::get_if<RandomInput>(&input.value); random != nullptr && !input.is_list) {
    visit(random->shape);
  }
}

// Draws one case of one alternative.
class CaseSampler {
 public:
  // `long_name`: which of the names that are drawn is the long one, if the flavour wants one.
  CaseSampler(const OpDef& op, const SampleAlternative& alternative, Flavour flavour, uint64_t seed, int long_name = 0)
      : op_(op), alternative_(alternative), flavour_(flavour), random_(seed), names_to_long_(long_name) {}

  // Nothing when the alternative is not meant for these types, or has no size that could be 0, or could be long.
  std::optional<SampledCase> Draw(const AttrMap& types) {
    SampledCase result;
    result.attrs = types;
    Choose(result.attrs);
    if (!AllowsTypes(result.attrs)) return std::nullopt;
    DrawNames();
    if (flavour_ == Flavour::kEmpty && !emptied_) return std::nullopt;
    CompleteAttrs(result.attrs);
    DrawInputs(result);
    if (flavour_ == Flavour::kLong && names_to_long_ >= 0) return std::nullopt;
    result.label = Str(alternative_.text, ", ", FlavourName(flavour_));
    return result;
  }

 private:
  // ---- Attributes --------------------------------------------------------------------------------------------------

  void Choose(AttrMap& attrs) {
    for (const SampleSetting& setting : alternative_.settings) {
      if (setting.choices.empty()) continue;
      const SampleChoice& choice = setting.choices[random_.Below(static_cast<int64_t>(setting.choices.size()))];
      if (const auto* value = std::get_if<AttrValue>(&choice)) attrs.emplace(setting.attr->name, *value);
      if (const auto* shape = std::get_if<ShapePattern>(&choice)) shape_attrs_.emplace_back(setting.attr, *shape);
    }
    for (const AttrDef& attr : op_.attrs) {
      if (attr.kind == AttrKind::kType && !attr.is_list) attrs.emplace(attr.name, PreferredType(attr));
    }
  }

  // What an attribute of kind type is when nobody says: its default, or float32 or int32 if it may be one of them.
  DType PreferredType(const AttrDef& attr) const {
    std::vector<DType> allowed = attr.allowed_types;
    for (const SampleSetting& setting : alternative_.settings) {
      if (setting.attr == &attr && !setting.types.empty()) allowed = setting.types;
    }
    std::vector<DType> wanted = {DType::kFloat, DType::kInt32};
    if (attr.default_value) wanted.insert(wanted.begin(), *attr.default_value->Get<DType>());
    for (const DType type : wanted) {
      if (allowed.empty() || std::find(allowed.begin(), allowed.end(), type) != allowed.end()) return type;
    }
    return allowed.front();
  }

  bool AllowsTypes(const AttrMap& attrs) const {
    return std::all_of(alternative_.settings.begin(), alternative_.settings.end(), [&](const SampleSetting& setting) {
      if (setting.types.empty()) return true;
      const DType type = GetAttr<DType>(attrs, setting.attr->name);
      return std::find(setting.types.begin(), setting.types.end(), type) != setting.types.end();
    });
  }

  void CompleteAttrs(AttrMap& attrs) {
    for (const auto& [attr, shape] : shape_attrs_) attrs.emplace(attr->name, ShapeAttr(*attr, shape, attrs));
    for (size_t a = 0; a < op_.inputs.size(); ++a) {
      const std::string& number = op_.inputs[a].number_attr;
      const SampleInput& input = alternative_.inputs[a];
      if (!number.empty() && input.is_list) attrs.emplace(number, static_cast<int64_t>(input.items.size()));
      if (!number.empty() && !input.is_list) attrs.emplace(number, int64_t{3});
    }
    for (const AttrDef& attr : op_.attrs) {
      if (attr.default_value) attrs.emplace(attr.name, *attr.default_value);
      Require(attrs.contains(attr.name), "no sample of ", op_.name, " without the attribute '", attr.name, "'");
    }
  }

  AttrValue ShapeAttr(const AttrDef& attr, const ShapePattern& pattern, const AttrMap& attrs) {
    if (attr.kind == AttrKind::kShape) return bindings_.Apply(pattern);
    const DType dtype = GetAttr<DType>(attrs, "dtype");
    return RandomTensor(dtype, bindings_.Apply(pattern).ToShape(), Range({}, dtype), random_);
  }

  // ---- Sizes -------------------------------------------------------------------------------------------------------

  void DrawNames() {
    for (const SampleInput& input : alternative_.inputs) {
      ForEachShape(input, [this](const ShapePattern& shape) { DrawNames(shape); });
    }
    for (const auto& [attr, shape] : shape_attrs_) DrawNames(shape);
  }

  void DrawNames(const ShapePattern& shape) {
    for (const DimPattern& dim : shape.dims) {
      if (bindings_.IsBound(dim)) continue;
      if (dim.kind == DimPattern::Kind::kRest) {
        bindings_.BindRest(dim.name, DrawRest());
      } else {
        DrawSize(dim.name);
      }
    }
  }

  // One to four, sometimes more; 0 for the first name that allows it when something is to be empty.
  int64_t DrawSize(const std::string& name) {
    const bool may_be_empty = std::islower(static_cast<unsigned char>(name[0])) != 0;
    int64_t size = 1 + random_.Below(random_.Chance(6) ? 19 : 4);
    if (flavour_ == Flavour::kEmpty && may_be_empty && !emptied_) {
      size = 0;
      emptied_ = true;
    }
    if (IsLong()) size = LongSize();
    bindings_.BindSize(name, size);
    return size;
  }

  PartialShape DrawRest() {
    const bool empty = flavour_ == Flavour::kEmpty && !emptied_;
    const int64_t least = flavour_ == Flavour::kSpecial ? 0 : 1;
    std::vector<int64_t> dims(static_cast<size_t>(least + random_.Below(3)));
    for (int64_t& dim : dims) dim = 1 + random_.Below(4);
    if (!dims.empty() && random_.Chance(3)) dims.back() = 5 + random_.Below(32);
    if (IsLong()) dims.back() = LongSize();
    if (empty) {
      dims[static_cast<size_t>(random_.Below(static_cast<int64_t>(dims.size())))] = 0;
      emptied_ = true;
    }
    return PartialShape(std::move(dims));
  }

  // Whether the name that is being drawn is the long one.
  bool IsLong() { return flavour_ == Flavour::kLong && names_to_long_-- == 0; }
  int64_t LongSize() { return 1024 + random_.Below(1024); }

  double Resolve(const SampleNumber& number) {
    if (number.name.empty()) return number.value;
    const int64_t size = bindings_.Size(number.name);
    return static_cast<double>(size >= 0 ? size : DrawSize(number.name));
  }

  // The shape, with something for its nameless parts.
  Shape Draw(const ShapePattern& pattern) {
    ShapePattern named = pattern;
    if (named.is_any) return DrawRest().ToShape();
    for (DimPattern& dim : named.dims) {
      if (dim.kind == DimPattern::Kind::kAny) dim = {DimPattern::Kind::kSize, "", 1 + random_.Below(4)};
    }
    return bindings_.Apply(named).ToShape();
  }

  // ---- Values ------------------------------------------------------------------------------------------------------

  void DrawInputs(SampledCase& result) {
    for (size_t a = 0; a < op_.inputs.size(); ++a) {
      const ArgDef& arg = op_.inputs[a];
      const SampleInput& input = alternative_.inputs[a];
      const int64_t count = CountValues(arg, result.attrs);
      Require(!input.is_list || static_cast<int64_t>(input.items.size()) == count, "the sample of ", op_.name, " has ",
              input.items.size(), " values for the argument '", arg.name, "' of ", count);
      for (int64_t i = 0; i < count; ++i) {
        const SampleInput& one = input.is_list ? input.items[static_cast<size_t>(i)] : input;
        result.inputs.push_back(DrawInput(one, TypeOf(arg, static_cast<size_t>(i), result.attrs)));
        result.freedoms.push_back(FreedomOf(one, result.inputs.back().dtype()));
      }
    }
  }

  // A resource is drawn as its variable's value, whose type is the op's attribute for it.
  DType TypeOf(const ArgDef& arg, size_t i, const AttrMap& attrs) const {
    if (!arg.type_attr.empty()) return GetAttr<DType>(attrs, arg.type_attr);
    if (!arg.type_list_attr.empty()) return GetAttr<std::vector<DType>>(attrs, arg.type_list_attr).at(i);
    if (arg.type != DType::kResource) return arg.type;
    for (const char* name : {"dtype", "T"}) {
      if (op_.FindAttr(name) != nullptr) return GetAttr<DType>(attrs, name);
    }
    return DType::kFloat;
  }

  Tensor DrawInput(const SampleInput& input, DType dtype) {
    if (const auto* constant = std::get_if<SampleConstant>(&input.value)) return ConstantTensor(*constant, dtype);
    const RandomInput& random = std::get<RandomInput>(input.value);
    const Shape shape = Draw(random.shape);
    if (random.rule.permutation) return RandomPermutation(dtype, shape, random_);
    return RandomTensor(dtype, shape, Range(random.rule, dtype), random_);
  }

  static Freedom FreedomOf(const SampleInput& input, DType dtype) {
    const auto* const random = std::get_if<RandomInput>(&input.value);
    if (random == nullptr || random->rule.low || random->rule.positive || random->rule.permutation) {
      return Freedom::kThis;
    }
    if (random->rule.nonzero && IsInteger(dtype)) return Freedom::kThis;
    return random->rule.finite ? Freedom::kFinite : Freedom::kAny;
  }

  ValueRange Range(const SampleRule& rule, DType dtype) {
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
  Specials SpecialsFor(DType dtype) const {
    const Accuracy accuracy = op_.accuracy.For(dtype);
    const bool elementwise = accuracy.kind == AccuracyClass::kExact || accuracy.kind == AccuracyClass::kUlps;
    if (elementwise || IsInteger(dtype)) return Specials::kAll;
    return IsComplex(dtype) ? Specials::kNone : Specials::kNoExtremes;
  }

  void Flatten(const SampleConstant& constant, size_t depth, std::vector<int64_t>& dims, std::vector<double>& values) {
    if (!constant.is_list) {
      values.push_back(Resolve(constant.number));
      return;
    }
    if (dims.size() == depth) dims.push_back(static_cast<int64_t>(constant.items.size()));
    for (const SampleConstant& item : constant.items) Flatten(item, depth + 1, dims, values);
  }

  Tensor ConstantTensor(const SampleConstant& constant, DType dtype) {
    std::vector<int64_t> dims;
    std::vector<double> values;
    Flatten(constant, 0, dims, values);
    Tensor tensor(dtype, Shape(dims));
    Require(tensor.elements() == static_cast<int64_t>(values.size()), "a constant in the sample of ", op_.name,
            " has rows of different lengths");
    VisitType(dtype, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      if constexpr (requires { static_cast<T>(static_cast<float>(1.0)); }) {
        const auto data = tensor.mutable_data<T>();
        for (size_t i = 0; i < values.size(); ++i) data[i] = static_cast<T>(static_cast<float>(values[i]));
      } else {
        throw InvalidArgument("a constant in the sample of ", op_.name, " cannot be of type ", DTypeName(dtype));
      }
    });
    return tensor;
  }

  const OpDef& op_;
  const SampleAlternative& alternative_;
  const Flavour flavour_;
  SampleRandom random_;
  DimBindings bindings_;
  std::vector<std::pair<const AttrDef*, ShapePattern>> shape_attrs_;
  bool emptied_ = false;
  int names_to_long_;  // negative: it has been drawn
};

}  // namespace

bool CanSample(const OpDef& op) { return !ParseSample(op).empty(); }

std::vector<SampledCase> SampleInputs(const OpDef& op, const AttrMap& types, uint64_t seed) {
  std::vector<SampledCase> cases;
  SampleRandom seeds(seed);
  for (const SampleAlternative& alternative : ParseSample(op)) {
    for (const Flavour flavour : {Flavour::kOrdinary, Flavour::kSpecial, Flavour::kEmpty}) {
      if (auto drawn = CaseSampler(op, alternative, flavour, seeds.Next()).Draw(types)) {
        cases.push_back(std::move(*drawn));
      }
    }
  }
  return cases;
}

std::vector<SampledCase> SampleLongInputs(const OpDef& op, const AttrMap& types, uint64_t seed) {
  std::vector<SampledCase> cases;
  SampleRandom seeds(seed);
  for (const SampleAlternative& alternative : ParseSample(op)) {
    for (int name = 0;; ++name) {
      auto drawn = CaseSampler(op, alternative, Flavour::kLong, seeds.Next(), name).Draw(types);
      if (!drawn) break;
      cases.push_back(std::move(*drawn));
    }
  }
  return cases;
}

}  // namespace plumb
