// Bytes → a row of the catalogue, types, shapes, values and attributes, hostile ones too: the reference and the fast
// path answer with the same code, and values of the same types and shapes.
#include "conformance/suites/single_node.h"
#include "property-tests/fuzz/sides/hostile_case.h"
#include "property-tests/fuzz/sides/sides.h"
#include "spec/ops/traits.h"

namespace {

plumb::fuzz::Alike AlikeOf(const plumb::OpDef& op) {
  using plumb::fuzz::Alike;
  return plumb::Has(op, plumb::Trait::kMayBeSingular) ? Alike::kSolved : Alike::kShapes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace plumb;
  fuzz::Bytes bytes(data, size);
  const auto hostile = fuzz::ReadHostileCase(bytes);
  if (!hostile) return 0;
  const conformance::SingleNode single = conformance::MakeSingleNode(*hostile->op, hostile->sampled);
  fuzz::Sides sides(single.graph, AlikeOf(*hostile->op));
  if (!single.initialize.targets.empty() && sides.Run(single.initialize) != Code::kOk) return 0;
  if (sides.Run(single.run) == Code::kOk && !single.inspect.fetches.empty()) sides.Run(single.inspect);
  return 0;
}
