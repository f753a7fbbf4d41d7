// Rows that leave a value as it is, an alias too (rule R31), chosen by what they say (spec/ops/traits.h), never by
// name.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "property-tests/generators/tape.h"
#include "spec/ops/op_def.h"
#include "spec/samples/sample.h"

namespace plumb::property {

// A row on float32.
struct HandingRow {
  const OpDef* op;
  std::vector<SampledCase> cases;                                   // as its samples draw them, of ordinary values
  mutable std::map<int64_t, std::vector<SampledCase>> by_elements;  // such that a value of so many elements fits
};

// Those that hand on what they get, or pieces of it, and make whole numbers of whole ones where they compute.
std::span<const HandingRow> RowsThatHandOn();
// Those that give back what an object was given, in scenarios that give it something.
std::span<const HandingRow> RowsThatGiveBack();

// Whether any finite float32 may stand in the place of this input of the tried op.
bool MayBeAny(const SampledCase& sample, size_t input);
// The most elements of what may be any value: of an input, or, in a scenario, of what another node is given.
int64_t MostElements(const SampledCase& sample);

struct HandedCase {
  const OpDef* op = nullptr;
  const SampledCase* sample = nullptr;
};
// A case of one of the rows: mostly one that a value of `elements` elements fits, where the row has such; none that
// asks for more than `most`. Nothing where the row has no such case.
HandedCase AnyHanded(Tape& tape, std::span<const HandingRow> rows, int64_t elements, int64_t most);

}  // namespace plumb::property
