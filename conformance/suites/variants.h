// Which types an op is tried with, and which of them a backend has to take.
#pragma once

#include <optional>
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

// All combinations of the types that have no default; then each of the others in turn, beside the first combination.
std::vector<Variant> VariantsOf(const OpDef& op);

// Those whose op, or "Op/variant", matches the filter (* and ?; empty: all).
std::vector<Variant> ChosenVariants(const OpDef& op, const std::string& filter);

// Whether the rows of the catalogue speak of it.
bool IsOurs(const Backend& backend);
// The types of `attr` that the op's row says `backend` takes: refusing one of them is a failure, not a lack of support.
// Nothing where the row leaves it open, and for backends from elsewhere, of which the rows know nothing.
std::optional<std::vector<DType>> DeclaredTypes(const OpDef& op, const AttrDef& attr, const Backend& backend);
// Whether the row says so of all the types of a variant; or the backend, when it is somebody else's.
bool IsDeclared(const OpDef& op, const AttrMap& types, const Backend& backend);

// The command that tries the op on this variant with these seeds.
std::string OpsCommand(const Backend& backend, const OpDef& op, const Variant& variant, uint64_t seed, int rounds);

}  // namespace plumb::conformance
