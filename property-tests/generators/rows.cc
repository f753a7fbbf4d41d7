#include "property-tests/generators/rows.h"

#include <algorithm>
#include <map>
#include <set>

#include "backends/backends.h"
#include "property-tests/generators/one_op.h"
#include "property-tests/generators/random_tensor.h"
#include "property-tests/generators/trials.h"
#include "spec/graph/builder.h"
#include "spec/ops/catalogue.h"

namespace plumb::property {
namespace {

bool MayStandAnywhere(const OpDef& op) {
  const auto is_plain = [](const ArgDef& arg) {
    return !arg.is_ref && arg.type != DType::kResource && arg.type != DType::kVariant;
  };
  const auto names = BackendNames();
  return !op.is_stateful && IsCurrent(op) && CanSample(op) &&
         std::all_of(op.inputs.begin(), op.inputs.end(), is_plain) &&
         std::all_of(op.outputs.begin(), op.outputs.end(), is_plain) &&
         std::all_of(names.begin(), names.end(), [&](std::string_view name) { return IsImplemented(name, op.name); }) &&
         NeedsNoValues(op);
}

std::string AlternativeOf(const SampledCase& sample) { return sample.label.substr(0, sample.label.rfind(", ")); }
bool HasOrdinaryValues(const SampledCase& sample) { return sample.label.ends_with("ordinary values"); }

AttrMap TypesAmong(const OpDef& op, const AttrMap& attrs) {
  AttrMap types;
  for (const AttrDef& attr : op.attrs) {
    if (attr.kind == AttrKind::kType && !attr.is_list) types.emplace(attr.name, GetAttr<DType>(attrs, attr.name));
  }
  return types;
}

// Whether all backends have a kernel for the case's attributes, whose results hang on nothing else. An alternative is
// tried once with the same ordinary values, so that the answer does not depend on the case; conformance judges whether
// kernels are missing.
bool HasKernels(const OpDef& op, const SampledCase& sample) {
  static std::map<std::string, bool> answers;
  const std::string alternative = AlternativeOf(sample);
  std::string key = Str(op.name, " ", alternative);
  AttrMap plain;
  for (const auto& [name, value] : sample.attrs) {
    if (value.Get<Tensor>() != nullptr || value.Get<PartialShape>() != nullptr) continue;
    key += Str(" ", name, "=", value.ToString());
    plain.emplace(name, value);
  }
  const auto [answer, is_new] = answers.try_emplace(key, false);
  if (!is_new) return answer->second;
  for (SampledCase& trial : SampleInputs(op, TypesAmong(op, sample.attrs), kTrialSeed)) {
    if (!HasOrdinaryValues(trial) || AlternativeOf(trial) != alternative) continue;
    for (const auto& [name, value] : plain) trial.attrs.insert_or_assign(name, value);
    answer->second = RunsEverywhere(op, trial) && !TellsItsName(op, trial);
  }
  return answer->second;
}

// The types that generators draw: all that one can compute with. The first ones come up more often.
constexpr DType kTypes[] = {
#define PLUMB_LIST(name, type) DType::name,
    PLUMB_FOR_EACH_NUMBER_TYPE(PLUMB_LIST)
#undef PLUMB_LIST
};

DType RandomType(Tape& tape, const OpDef& op, const AttrDef& attr, DType wanted) {
  if (Allows(op, attr, wanted) && tape.Chance(70)) return wanted;
  const size_t start = tape.Chance(50) ? 0 : static_cast<size_t>(tape.Below(static_cast<int>(std::size(kTypes))));
  for (size_t i = 0; i < std::size(kTypes); ++i) {
    const DType dtype = kTypes[(start + i) % std::size(kTypes)];
    if (Allows(op, attr, dtype)) return dtype;
  }
  return op.CpuTypes(attr).front();
}

// Whether the row takes any values of the type there are.
bool TakesAnyValues(const OpDef& op, const AttrMap& types) {
  const auto samples = SampleInputs(op, types, kTrialSeed);
  return std::any_of(samples.begin(), samples.end(), [](const SampledCase& sample) {
    const auto& freedoms = sample.freedoms;
    return HasOrdinaryValues(sample) &&
           std::all_of(freedoms.begin(), freedoms.end(), [](Freedom freedom) { return freedom == Freedom::kAny; });
  });
}

// The attributes with which the row is a function of `inputs` values of one type: its type attribute, perhaps the
// number of its inputs, and defaults. Nothing if it is no such function.
std::optional<AttrMap> AttrsOfFunction(const OpDef& op, DType dtype, int inputs) {
  if (op.inputs.empty() || op.outputs.empty()) return std::nullopt;
  const ArgDef& first = op.inputs[0];
  const bool is_list = !first.number_attr.empty();
  if (first.type_attr.empty() || static_cast<int>(op.inputs.size()) != (is_list ? 1 : inputs)) return std::nullopt;
  for (const ArgDef& arg : op.inputs) {
    if (arg.type_attr != first.type_attr || arg.number_attr != first.number_attr) return std::nullopt;
  }
  if (op.outputs[0].type_attr != first.type_attr || !op.outputs[0].number_attr.empty()) return std::nullopt;
  AttrMap attrs;
  for (const AttrDef& attr : op.attrs) {
    if (attr.name == first.type_attr) {
      if (!Allows(op, attr, dtype)) return std::nullopt;
      attrs.emplace(attr.name, dtype);
    } else if (attr.name == first.number_attr) {
      attrs.emplace(attr.name, int64_t{inputs});
    } else if (attr.default_value) {
      attrs.emplace(attr.name, *attr.default_value);
    } else {
      return std::nullopt;
    }
  }
  return attrs;
}

// The shape of the first result for inputs of these shapes; nothing where they do not fit.
std::optional<PartialShape> ShapeOfResult(const OpDef& op, const AttrMap& attrs, DType dtype,
                                          const std::vector<Shape>& shapes) {
  GraphBuilder builder;
  std::vector<Endpoint> inputs;
  for (const Shape& shape : shapes) inputs.push_back(builder.Constant(Zeros(dtype, shape)));
  try {
    return builder.shape(builder.Call(op.name, inputs, attrs));
  } catch (const Error&) {
    return std::nullopt;
  }
}

// Whether the rule is the derivative, as far as one case shows, and zeros and ones in its place.
bool HasGradient(const OpDef& op, const SampledCase& sample) {
  if (op.gradient.kind != Differentiation::Kind::kRule) return false;
  const auto holds = [&](const SampledCase& at) {
    OneOp program(op, at, kTrialSeed, OneOp::At::kSample);
    return program.HasSomethingToDifferentiate() && program.Check().ok();
  };
  try {
    if (!holds(sample)) return false;
    for (const double all : {0.0, 1.0}) {
      SampledCase equal = sample;
      for (size_t i = 0; i < equal.inputs.size(); ++i) {
        const Tensor& input = equal.inputs[i];
        if (input.dtype() != DType::kDouble || equal.freedoms[i] == Freedom::kThis) continue;
        equal.inputs[i] = TensorOf(DType::kDouble, input.shape(), std::vector<double>{all});
      }
      if (!holds(equal)) return false;
    }
    return true;
  } catch (const Error&) {
    return false;  // a rule that forbids
  }
}

Smoothness SmoothnessOfCase(const OpDef& op, const SampledCase& sample) {
  const Smoothness smoothness = SmoothnessOf(op, sample);
  const bool is_differentiable = smoothness == Smoothness::kSmooth && HasGradient(op, sample);
  return is_differentiable ? Smoothness::kDifferentiable : smoothness;
}

// Of f(x) or f(x, y), as it is on float64, where all values of −2 … 2 meet. On integers, which have no errors that
// could grow, all functions are as good as continuous; a function of complex numbers alone is taken for one.
Smoothness SmoothnessOfFunction(const OpDef& op, DType dtype, int inputs) {
  if (!IsFloating(dtype) && !IsComplex(dtype)) return Smoothness::kBends;
  const std::optional<AttrMap> attrs = AttrsOfFunction(op, DType::kDouble, inputs);
  if (!attrs) return IsComplex(dtype) ? Smoothness::kBends : Smoothness::kJumps;
  std::vector<double> xs, ys;
  for (int x = -2; x <= 2; ++x) {
    for (int y = -2; y <= 2; ++y) {
      xs.push_back(x);
      ys.push_back(y);
    }
  }
  const Shape shape = {static_cast<int64_t>(xs.size())};
  SampledCase grid;
  grid.attrs = *attrs;
  grid.inputs.push_back(TensorOf(DType::kDouble, shape, xs));
  if (inputs == 2) grid.inputs.push_back(TensorOf(DType::kDouble, shape, ys));
  grid.freedoms.assign(grid.inputs.size(), Freedom::kAny);
  return SmoothnessOfCase(op, grid);
}

std::vector<SameShapeRow> FindSameShapeRows(DType dtype) {
  const std::vector<Shape> shapes = {{}, {3}, {2, 3}, {2, 1, 3}};
  std::vector<SameShapeRow> rows;
  for (const OpDef* op : DrawnRows()) {
    for (const int inputs : {1, 2}) {
      const std::optional<AttrMap> attrs = AttrsOfFunction(*op, dtype, inputs);
      if (!attrs || !TakesAnyValues(*op, TypesAmong(*op, *attrs))) continue;
      const SampledCase trial = {"", *attrs, std::vector<Tensor>(inputs, Zeros(dtype, {3})), {}, {}, {}, {}};
      if (!RunsEverywhere(*op, trial)) continue;
      const bool keeps_shape = std::all_of(shapes.begin(), shapes.end(), [&](const Shape& shape) {
        return ShapeOfResult(*op, *attrs, dtype, std::vector<Shape>(inputs, shape)) == shape;
      });
      if (!keeps_shape) continue;
      const bool broadcasts = inputs == 2 && ShapeOfResult(*op, *attrs, dtype, {{3}, {2, 3}}) == Shape({2, 3});
      rows.push_back({op, *attrs, inputs, broadcasts, SmoothnessOfFunction(*op, dtype, inputs)});
    }
  }
  return rows;
}

}  // namespace

bool IsCurrent(const OpDef& op) { return op.deprecated.version == 0 || op.deprecated.version > kGraphVersion; }

bool Allows(const OpDef& op, const AttrDef& attr, DType dtype) {
  const auto& allowed = op.CpuTypes(attr);
  return allowed.empty() || std::find(allowed.begin(), allowed.end(), dtype) != allowed.end();
}

std::span<const OpDef* const> DrawnRows() {
  static const std::vector<const OpDef*> rows = [] {
    std::vector<const OpDef*> found;
    for (const OpDef* op : AllOps()) {
      if (MayStandAnywhere(*op)) found.push_back(op);
    }
    return found;
  }();
  return rows;
}

AttrMap RandomTypes(Tape& tape, const OpDef& op, DType wanted) {
  AttrMap types;
  for (const AttrDef& attr : op.attrs) {
    if (attr.kind != AttrKind::kType || attr.is_list) continue;
    const bool is_default = attr.default_value && tape.Chance(70);
    types.emplace(attr.name, is_default ? *attr.default_value->Get<DType>() : RandomType(tape, op, attr, wanted));
  }
  return types;
}

std::optional<SampledCase> RandomCaseOf(Tape& tape, const OpDef& op, const AttrMap& types, bool special) {
  const bool only_ordinary = !special || !tape.Chance(30);
  std::vector<SampledCase> samples = SampleInputs(op, types, tape.Next());
  std::erase_if(samples, [&](const SampledCase& sample) {
    return !sample.StandsAlone() || (only_ordinary && !HasOrdinaryValues(sample));
  });
  if (samples.empty()) return std::nullopt;
  SampledCase& chosen = samples[tape.Below(static_cast<int>(samples.size()))];
  if (!HasKernels(op, chosen)) return std::nullopt;
  return std::move(chosen);
}

namespace {

// The alternatives of the row whose trials are differentiable: decided by them and not by a case, which is random. None
// for an op that refuses some of its own trials (singular matrices, say): a law could not have values whenever it asks;
// nor for one whose row says that it cannot show its gradient.
std::set<std::string> FindDifferentiableAlternatives(const OpDef& op) {
  if (*op.gradient_trial.untried != '\0') return {};
  std::map<std::string, bool> answers;
  try {
    for (const SampledCase& trial : SampleInputs(op, WidestTypes(op), kTrialSeed)) {
      if (!HasOrdinaryValues(trial)) continue;
      answers[AlternativeOf(trial)] = SmoothnessOfCase(op, trial) == Smoothness::kDifferentiable;
    }
  } catch (const Error& error) {
    if (error.status().code() != Code::kInvalidArgument) throw;
    return {};
  }
  std::set<std::string> differentiable;
  for (const auto& [alternative, answer] : answers) {
    if (answer) differentiable.insert(alternative);
  }
  return differentiable;
}

const std::set<std::string>& DifferentiableAlternatives(const OpDef& op) {
  static std::map<std::string, std::set<std::string>> known;
  const auto [alternatives, is_new] = known.try_emplace(op.name);
  if (is_new) alternatives->second = FindDifferentiableAlternatives(op);
  return alternatives->second;
}

}  // namespace

std::optional<SampledCase> RandomDifferentiableCaseOf(Tape& tape, const OpDef& op) {
  std::vector<SampledCase> samples = SampleInputs(op, WidestTypes(op), tape.Next());
  const std::set<std::string>& differentiable = DifferentiableAlternatives(op);
  std::erase_if(samples, [&](const SampledCase& sample) {
    return !sample.StandsAlone() || !HasOrdinaryValues(sample) || !differentiable.contains(AlternativeOf(sample));
  });
  if (samples.empty()) return std::nullopt;
  return std::move(samples[tape.Below(static_cast<int>(samples.size()))]);
}

std::span<const SameShapeRow> SameShapeRows(DType dtype, Smoothness least) {
  static std::map<std::pair<DType, Smoothness>, std::vector<SameShapeRow>> known;
  const auto [rows, is_new] = known.try_emplace({dtype, least});
  if (is_new) {
    rows->second = FindSameShapeRows(dtype);
    std::erase_if(rows->second, [least](const SameShapeRow& row) { return row.smoothness < least; });
  }
  return rows->second;
}

const SameShapeRow& AnySameShapeRow(Tape& tape, DType dtype, Smoothness least) {
  const auto rows = SameShapeRows(dtype, least);
  Require(!rows.empty(), "no row makes values of type ", DTypeName(dtype), " of others");
  return rows[static_cast<size_t>(tape.Below(static_cast<int>(rows.size())))];
}

const SameShapeRow* AnyDeclaredRow(Tape& tape, DType dtype, Smoothness least, const Declares& declares) {
  std::vector<const SameShapeRow*> rows;
  for (const SameShapeRow& row : SameShapeRows(dtype, least)) {
    if (Takes(declares, row.op->name, row.attrs)) rows.push_back(&row);
  }
  return rows.empty() ? nullptr : rows[static_cast<size_t>(tape.Below(static_cast<int>(rows.size())))];
}

}  // namespace plumb::property
