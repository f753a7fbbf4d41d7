// Staging maps (rules Q72–Q75).
#include <algorithm>
#include <functional>

#include "reference/ops/lib/staging.h"

namespace plumb::reference {
namespace {

template <bool ordered>
std::shared_ptr<StagingMap> MapOf(OpContext& c) {
  auto map = Staged<StagingMap>(c);
  map->Declare(LimitsOf(c.node), ordered, c.attr<std::vector<DType>>("dtypes"));
  return map;
}

int64_t KeyIn(const OpContext& c) {
  Require(c.tensor(0).elements() == 1, "the key is one number, not of shape ", c.tensor(0).shape().ToString());
  return c.tensor(0).data<int64_t>()[0];
}
std::vector<int64_t> IndicesIn(const OpContext& c, int input) {
  Require(c.tensor(input).elements() > 0, "there must be one index at least");
  std::vector<int64_t> indices = ToInt64s(c.tensor(input));
  Require(std::ranges::adjacent_find(indices, std::greater_equal<>()) == indices.end(),
          "the indices must ascend strictly");
  return indices;
}

template <bool ordered>
void MapStage(OpContext& c) {
  MapRequest request{StagingAct::kPut, KeyIn(c), IndicesIn(c, 1)};
  for (int i = 2; i < c.num_inputs(); ++i) request.values.push_back(c.input(i));
  Answered(c, MapOf<ordered>(c), std::move(request));
}

// Q74: the values are behind the key, which is an output where none is given.
template <bool ordered>
void Get(OpContext& c, const MapRequest& request) {
  const int first = request.key ? 0 : 1;
  Require(std::ssize(request.indices) + first == std::ssize(c.outputs), "there are ", request.indices.size(),
          " indices for ", std::ssize(c.outputs) - first, " values");
  auto values = Answered(c, MapOf<ordered>(c), request);
  if (!values) return;
  if (!request.key) c.Output(0, (*values)[0]);
  values->erase(values->begin());
  OutputStaged(c, std::move(*values), first);
}

template <bool ordered>
void MapUnstage(OpContext& c) {
  Get<ordered>(c, {StagingAct::kTake, KeyIn(c), IndicesIn(c, 1)});
}
template <bool ordered>
void MapPeek(OpContext& c) {
  Get<ordered>(c, {StagingAct::kPeek, KeyIn(c), IndicesIn(c, 1)});
}
template <bool ordered>
void MapUnstageNoKey(OpContext& c) {
  Get<ordered>(c, {StagingAct::kTake, std::nullopt, IndicesIn(c, 0)});
}

template <bool ordered>
void MapSize(OpContext& c) {
  c.Output(0, MakeScalar(static_cast<int32_t>(MapOf<ordered>(c)->size())));
}
template <bool ordered>
void MapIncompleteSize(OpContext& c) {
  c.Output(0, MakeScalar(static_cast<int32_t>(MapOf<ordered>(c)->num_incomplete())));
}
template <bool ordered>
void MapClear(OpContext& c) {
  MapOf<ordered>(c)->Clear();
}

constexpr KernelRow kRows[] = {
    {"MapStage", MapStage<false>, CheckLimits},
    {"OrderedMapStage", MapStage<true>, CheckLimits},
    {"MapUnstage", MapUnstage<false>, CheckLimits},
    {"OrderedMapUnstage", MapUnstage<true>, CheckLimits},
    {"MapPeek", MapPeek<false>, CheckLimits},
    {"OrderedMapPeek", MapPeek<true>, CheckLimits},
    {"MapUnstageNoKey", MapUnstageNoKey<false>, CheckLimits},
    {"OrderedMapUnstageNoKey", MapUnstageNoKey<true>, CheckLimits},
    {"MapSize", MapSize<false>, CheckLimits},
    {"OrderedMapSize", MapSize<true>, CheckLimits},
    {"MapIncompleteSize", MapIncompleteSize<false>, CheckLimits},
    {"OrderedMapIncompleteSize", MapIncompleteSize<true>, CheckLimits},
    {"MapClear", MapClear<false>, CheckLimits},
    {"OrderedMapClear", MapClear<true>, CheckLimits},
};

}  // namespace

namespace topics {
std::span<const KernelRow> DataFlowMapStage() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
