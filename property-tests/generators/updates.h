// Rows that change a variable, chosen by what they say of it (spec/ops/traits.h), never by name.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "property-tests/generators/declared.h"
#include "property-tests/generators/tape.h"
#include "spec/graph/builder.h"
#include "spec/ops/op_def.h"

namespace plumb::property {

enum class UpdatedPart { kWhole, kRows };
// What an update makes of a variable's numbers.
enum class UpdateKind {
  kAny,
  kSet,    // its own in the place of what they were
  kExact,  // of whole numbers whole ones, where all are small
  kSum,    // what they were, plus or minus its own: any order of such updates leaves the same
};

// Those of a variable behind a reference, or else a handle, of this type.
std::vector<const OpDef*> UpdatesOf(bool is_ref, DType dtype, UpdatedPart part, UpdateKind kind);
// One of them. There are some of each kind for float32, float64 and the integers.
const OpDef& AnyUpdate(Tape& tape, bool is_ref, DType dtype, UpdatedPart part, UpdateKind kind);
// One of those of whole variables that the backend takes; null where there is none.
const OpDef* AnyDeclaredUpdate(Tape& tape, bool is_ref, DType dtype, const Declares& declares);

// Its inputs: `numbers` for the whole variable, or for the rows that are updated, in their order; ones for what scales
// them.
std::vector<Endpoint> UpdateInputs(GraphBuilder& builder, const OpDef& op, Endpoint variable,
                                   const std::vector<int32_t>& rows, Endpoint numbers);
// Under the variable's lock, where the row says that there is a choice.
AttrMap Locked(const OpDef& op);

}  // namespace plumb::property
