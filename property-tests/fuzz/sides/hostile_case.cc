#include "property-tests/fuzz/sides/hostile_case.h"

#include <algorithm>
#include <map>

#include "property-tests/fuzz/sides/values.h"
#include "spec/ops/catalogue.h"
#include "spec/ops/dims.h"
#include "spec/ops/equivalence.h"
#include "spec/ops/traits.h"

namespace plumb::fuzz {
namespace {

constexpr size_t kMostRemembered = 256;  // samples of a row on one choice of types

bool IsVariable(const ArgDef& arg) {
  return arg.handle == "Variable" || (arg.is_ref && arg.handle.empty() && arg.type != DType::kString);
}
bool IsPlain(const ArgDef& arg) {
  return !arg.is_ref && arg.type != DType::kResource && arg.type != DType::kVariant && !LeadsSomewhere(arg);
}

// What keeps more than variables, or tells of the machine, answers differently the second time; what draws numbers
// without being told how shows at least its shape. What has neither inputs nor outputs shows nothing. No graph of today
// holds what is deprecated (rule V2).
bool IsDrawn(const OpDef& op) {
  const auto is_function = [](const AttrDef& attr) { return attr.kind == AttrKind::kFunc; };
  const auto has_attr = [&](std::string_view name) { return op.FindAttr(name) != nullptr; };
  if (op.kind != OpKind::kKernel || std::any_of(op.attrs.begin(), op.attrs.end(), is_function)) return false;
  const bool has_variable = std::any_of(op.inputs.begin(), op.inputs.end(), IsVariable);
  if (op.inputs.empty() && op.outputs.empty()) return false;
  if (op.deprecated.version > 0 && op.deprecated.version <= kGraphVersion) return false;
  if (has_attr("max_attempts")) return false;  // it tries as often as it is told
  if (op.is_stateful && !has_variable && !Has(op, Trait::kDrawsNumbers)) return false;
  const auto leads = [](const ArgDef& arg) { return LeadsSomewhere(arg) || arg.type == DType::kResource; };
  return std::all_of(op.inputs.begin(), op.inputs.end(),
                     [](const ArgDef& arg) { return IsPlain(arg) || IsVariable(arg); }) &&
         std::none_of(op.outputs.begin(), op.outputs.end(), leads);
}

const std::vector<const OpDef*>& DrawnOps() {
  static const std::vector<const OpDef*> ops = [] {
    std::vector<const OpDef*> drawn;
    for (const OpDef* op : AllOps()) {
      if (IsDrawn(*op)) drawn.push_back(op);
    }
    return drawn;
  }();
  return ops;
}

uint64_t Mixed(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

// Two bytes are one ticket in a lottery of all ops, which the same op goes on winning, but for tickets that a new one
// wins: what a corpus holds keeps its meaning while the catalogue grows.
const OpDef& OpOf(Bytes& bytes) {
  static const std::vector<uint64_t> names = [] {
    std::vector<uint64_t> hashes;
    for (const OpDef* op : DrawnOps()) {
      uint64_t hash = 0;
      for (const char c : op->name) hash = Mixed(hash + static_cast<uint8_t>(c) + 1);
      hashes.push_back(hash);
    }
    return hashes;
  }();
  const uint64_t ticket = bytes.Below(1 << 16);
  size_t winner = 0;
  for (size_t i = 1; i < names.size(); ++i) {
    if (Mixed(names[i] + ticket) > Mixed(names[winner] + ticket)) winner = i;
  }
  return *DrawnOps()[winner];
}

std::vector<DType> TypesOf(const ArgDef& arg, const AttrMap& attrs) {
  if (!arg.type_list_attr.empty()) return GetAttr<std::vector<DType>>(attrs, arg.type_list_attr);
  const DType type = arg.type_attr.empty() ? arg.type : GetAttr<DType>(attrs, arg.type_attr);
  return std::vector<DType>(static_cast<size_t>(CountValues(arg, attrs)), type);
}

// What a handle leads to is of the type that an attribute names.
DType TypeBehind(const AttrMap& attrs) {
  for (const char* name : {"dtype", "T"}) {
    if (attrs.contains(name)) return GetAttr<DType>(attrs, name);
  }
  return DType::kFloat;
}

bool CanBeFed(DType dtype) { return dtype != DType::kInvalid && dtype != DType::kResource && dtype != DType::kVariant; }

std::optional<SampledCase> Free(Bytes& bytes, const OpDef& op) {
  SampledCase free;
  for (const AttrDef& attr : op.attrs) free.attrs.emplace(attr.name, Attribute(bytes, op, attr));
  Shape last;
  for (const ArgDef& arg : op.inputs) {
    for (DType dtype : TypesOf(arg, free.attrs)) {
      if (dtype == DType::kResource) dtype = TypeBehind(free.attrs);
      if (!CanBeFed(dtype)) return std::nullopt;
      if (free.inputs.empty() || !bytes.InEighths(3)) last = SmallShape(bytes);
      free.inputs.push_back(Value(bytes, dtype, last));
    }
  }
  return free;
}

const std::vector<SampledCase>& Samples(const OpDef& op, const AttrMap& types) {
  static std::map<std::string, std::vector<SampledCase>> known;
  std::string key = op.name;
  for (const auto& [name, type] : types) key += Str(" ", name, "=", type.ToString());
  if (known.size() > kMostRemembered) known.clear();
  const auto [samples, is_new] = known.try_emplace(key);
  if (is_new && CanSample(op)) {
    samples->second = SampleInputs(op, types, 1);
    std::erase_if(samples->second, [](const SampledCase& sample) { return !sample.StandsAlone(); });
  }
  return samples->second;
}

void Change(Bytes& bytes, const OpDef& op, SampledCase& sample) {
  const size_t what = bytes.Below(8);
  if (what == 0 && !op.attrs.empty()) {
    const AttrDef& attr = op.attrs[bytes.Below(op.attrs.size())];
    // What counts arguments, or types them, would no longer fit those that are there.
    if (attr.kind != AttrKind::kType && sample.attrs.contains(attr.name)) {
      const AttrValue changed = Attribute(bytes, op, attr);
      const bool counts = std::any_of(op.inputs.begin(), op.inputs.end(),
                                      [&](const ArgDef& arg) { return arg.number_attr == attr.name; });
      if (!counts) sample.attrs.insert_or_assign(attr.name, changed);
    }
    return;
  }
  if (sample.inputs.empty()) return;
  Tensor& input = sample.inputs[bytes.Below(sample.inputs.size())];
  if (what <= 3) {
    input = Changed(bytes, input);
  } else if (what <= 5) {
    input = Value(bytes, input.dtype(), input.elements() > 1000 ? SmallShape(bytes) : Shape(input.shape()));
  } else {
    input = Value(bytes, input.dtype(), SmallShape(bytes));
  }
}

std::optional<SampledCase> Altered(Bytes& bytes, const OpDef& op) {
  AttrMap types;
  for (const AttrDef& attr : op.attrs) {
    if (attr.kind != AttrKind::kType || attr.is_list || bytes.InEighths(3)) continue;
    const std::vector<DType>& allowed = op.CpuTypes(attr);
    if (!allowed.empty()) types.emplace(attr.name, allowed[bytes.Below(allowed.size())]);
  }
  const std::vector<SampledCase>& samples = Samples(op, types);
  if (samples.empty()) return std::nullopt;
  SampledCase altered = samples[bytes.Below(samples.size())];
  for (size_t changes = 1 + bytes.Below(3); changes > 0; --changes) Change(bytes, op, altered);
  return altered;
}

}  // namespace

std::optional<HostileCase> ReadHostileCase(Bytes& bytes) {
  const OpDef& op = OpOf(bytes);
  try {
    const bool is_free = bytes.InEighths(3);
    std::optional<SampledCase> sampled = is_free ? std::nullopt : Altered(bytes, op);
    if (!sampled) sampled = Free(bytes, op);
    if (!sampled) return std::nullopt;
    return HostileCase{&op, std::move(*sampled)};
  } catch (const Error&) {
    return std::nullopt;  // attributes that are no numbers of arguments, or no shapes
  }
}

}  // namespace plumb::fuzz
