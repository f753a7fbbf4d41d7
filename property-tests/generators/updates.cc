#include "property-tests/generators/updates.h"

#include <map>
#include <tuple>

#include "property-tests/generators/random_tensor.h"
#include "property-tests/generators/rows.h"
#include "spec/ops/catalogue.h"
#include "spec/ops/traits.h"

namespace plumb::property {
namespace {

bool Updates(const OpDef& op, UpdatedPart part) {
  if (part == UpdatedPart::kWhole) return Has(op, Trait::kUpdatesWhole);
  return Has(op, Trait::kUpdatesRows) || Has(op, Trait::kUpdatesSlices);
}

// What adds or subtracts is exact on whole numbers, and what has no error of its own.
bool Is(const OpDef& op, UpdateKind kind) {
  const bool sums = Has(op, Trait::kAdds) || Has(op, Trait::kSubtracts);
  switch (kind) {
    case UpdateKind::kAny:
      return true;
    case UpdateKind::kSet:
      return Has(op, Trait::kSets);
    case UpdateKind::kExact:
      return sums || op.accuracy.kind == AccuracyClass::kExact;
    case UpdateKind::kSum:
      return sums;
  }
  throw Internal("a kind of updates without a meaning");
}

}  // namespace

std::vector<const OpDef*> UpdatesOf(bool is_ref, DType dtype, UpdatedPart part, UpdateKind kind) {
  std::vector<const OpDef*> updates;
  for (const OpDef* op : AllOps()) {
    if (!Updates(*op, part) || !Is(*op, kind) || op->inputs[0].is_ref != is_ref || !IsCurrent(*op)) continue;
    const AttrDef* const type = op->FindAttr(op->inputs.back().type_attr);
    if (type != nullptr && Allows(*op, *type, dtype)) updates.push_back(op);
  }
  return updates;
}

const OpDef& AnyUpdate(Tape& tape, bool is_ref, DType dtype, UpdatedPart part, UpdateKind kind) {
  using Key = std::tuple<bool, DType, UpdatedPart, UpdateKind>;
  static std::map<Key, std::vector<const OpDef*>> known;
  const auto [updates, is_new] = known.try_emplace(Key(is_ref, dtype, part, kind));
  if (is_new) updates->second = UpdatesOf(is_ref, dtype, part, kind);
  Require(!updates->second.empty(), "no row updates variables of type ", DTypeName(dtype), " so");
  return *updates->second[static_cast<size_t>(tape.Below(static_cast<int>(updates->second.size())))];
}

const OpDef* AnyDeclaredUpdate(Tape& tape, bool is_ref, DType dtype, const Declares& declares) {
  if (!declares) return &AnyUpdate(tape, is_ref, dtype, UpdatedPart::kWhole, UpdateKind::kAny);
  std::vector<const OpDef*> updates = UpdatesOf(is_ref, dtype, UpdatedPart::kWhole, UpdateKind::kAny);
  std::erase_if(updates, [&](const OpDef* op) {
    return !Takes(declares, op->name, {{op->inputs.back().type_attr, dtype}});
  });
  return updates.empty() ? nullptr : updates[static_cast<size_t>(tape.Below(static_cast<int>(updates.size())))];
}

std::vector<Endpoint> UpdateInputs(GraphBuilder& builder, const OpDef& op, Endpoint variable,
                                   const std::vector<int32_t>& rows, Endpoint numbers) {
  std::vector<Endpoint> inputs = {variable};
  const auto count = static_cast<int64_t>(rows.size());
  if (Has(op, Trait::kUpdatesWhole)) {
    const Tensor one = TensorOf(builder.dtype(numbers), {}, std::vector<double>{1});
    for (size_t i = 2; i < op.inputs.size(); ++i) inputs.push_back(builder.Constant(one));
  } else {
    const Shape shape = Has(op, Trait::kUpdatesSlices) ? Shape({count, 1}) : Shape({count});
    inputs.push_back(builder.Constant(MakeTensor<int32_t>(shape, std::span(rows))));
  }
  inputs.push_back(numbers);
  return inputs;
}

AttrMap Locked(const OpDef& op) {
  AttrMap attrs;
  if (op.FindAttr("use_locking") != nullptr) attrs.emplace("use_locking", true);
  return attrs;
}

}  // namespace plumb::property
