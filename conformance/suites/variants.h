// Which types an op is tried with, and which of them a backend has to take.
#pragma once

#include <string>
#include <vector>

#include "conformance/golden/judge.h"
#include "spec/ops/op_def.h"

namespace plumb::conformance {

// One choice of types: "Tparams=float32 Tindices=int32".
struct Variant {
  std::string name;
  AttrMap types;
};

// All combinations of the types that have no default; then each of the others in turn, beside the first combination
// that the row declares and a sample takes together with it.
std::vector<Variant> VariantsOf(const OpDef& op);

// Those whose op, or "Op/variant", matches the filter (* and ?; empty: all).
std::vector<Variant> ChosenVariants(const OpDef& op, const std::string& filter);

// The types that kernels of ours take for a single type, of those that a variant may have: the row's `cpu`, else the
// attribute's own, and where neither lists any, numbers, bool and strings. Of pairs that do not go together (a string
// becomes no number) no row can speak by attribute: its samples leave them out.
std::vector<DType> DeclaredTypes(const OpDef& op, const AttrDef& attr);

// Whether `backend` is to take all of these types, so that refusing one is a failure and not a lack of support: the
// op's row says so of our backends (DeclaredTypes), a backend from elsewhere says it itself.
bool IsDeclared(const OpDef& op, const AttrMap& types, const Backend& backend);

// The command that tries the op on this variant with these seeds.
std::string OpsCommand(const Backend& backend, const OpDef& op, const Variant& variant, uint64_t seed, int rounds);

}  // namespace plumb::conformance
