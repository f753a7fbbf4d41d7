// The ops that random programs are made of: rows of the catalogue, chosen by what they say and do, never by name.
#pragma once

#include <optional>
#include <span>

#include "property-tests/generators/declared.h"
#include "property-tests/generators/smoothness.h"
#include "property-tests/generators/tape.h"
#include "spec/ops/op_def.h"
#include "spec/samples/sample.h"

namespace plumb::property {

// Rows that may stand anywhere in a graph: without state, references and resources, with a sample. (Ops of the executor
// have none; generators place them by structure.)
std::span<const OpDef* const> DrawnRows();

// What every graph may hold today (rule V2).
bool IsCurrent(const OpDef& op);
// Whether kernels take the type (rule A7).
bool Allows(const OpDef& op, const AttrDef& attr, DType dtype);

// Types for the row's attributes: `wanted` where it is allowed, often; else a default, or any allowed number or bool.
AttrMap RandomTypes(Tape& tape, const OpDef& op, DType wanted);
// A case of one of the row's alternatives for these types: of ordinary values, or, if `special`, of special ones or of
// none at all now and then. Nothing where no alternative takes the types, or where a backend has no kernel for them.
std::optional<SampledCase> RandomCaseOf(Tape& tape, const OpDef& op, const AttrMap& types, bool special);
// An ordinary case in which the op's rule gives the derivative by the float64 inputs that may be others; op by op,
// op_gradient_law_test.cc says which do. Nothing where the row has no such case.
std::optional<SampledCase> RandomDifferentiableCaseOf(Tape& tape, const OpDef& op);

// A row as f(x) or f(x, y): it makes of values of one type and shape, whatever they are, another such value.
struct SameShapeRow {
  const OpDef* op;
  AttrMap attrs;
  int inputs;       // 1 or 2
  bool broadcasts;  // the shapes of x and y may differ as far as they broadcast
  Smoothness smoothness;
};

// Those that take this type and are at least so smooth. None for types that one does not compute with.
std::span<const SameShapeRow> SameShapeRows(DType dtype, Smoothness least);
// One of them, of a type that has some.
const SameShapeRow& AnySameShapeRow(Tape& tape, DType dtype, Smoothness least);
// One of those that the backend takes; null where there is none.
const SameShapeRow* AnyDeclaredRow(Tape& tape, DType dtype, Smoothness least, const Declares& declares);

}  // namespace plumb::property
