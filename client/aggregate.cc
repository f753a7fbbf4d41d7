#include "client/aggregate.h"

#include <algorithm>
#include <map>

#include "client/zeros.h"

namespace plumb {
namespace {

// Per device first, then across devices.
Endpoint AddAll(GraphBuilder& builder, const std::vector<Endpoint>& summands) {
  std::map<std::string, std::vector<Endpoint>> by_device;
  for (const Endpoint& summand : summands) by_device[builder.graph().node(summand.node).device].push_back(summand);
  std::vector<Endpoint> sums;
  for (const auto& [device, on_device] : by_device) {
    if (by_device.size() == 1) return builder.Call("AddN", on_device);
    GraphBuilder::DeviceScope there(builder, device);
    sums.push_back(on_device.size() == 1 ? on_device[0] : builder.Call("AddN", on_device));
  }
  return builder.Call("AddN", sums);
}

Endpoint AddDense(GraphBuilder& builder, const std::vector<Endpoint>& summands, Aggregation how) {
  switch (how) {
    case Aggregation::kAddN:
      return AddAll(builder, summands);
    case Aggregation::kTree: {
      Endpoint sum = summands[0];
      for (size_t i = 1; i < summands.size(); ++i) sum = builder.Call("AddN", {sum, summands[i]});
      return sum;
    }
    case Aggregation::kAccumulateN: {
      PartialShape shape = builder.shape(summands[0]);
      for (const Endpoint& summand : summands) shape = shape.MergeWith(builder.shape(summand));
      // AccumulateNV2 allocates its result before it runs.
      if (!shape.IsFullyDefined()) return AddAll(builder, summands);
      return builder.Call("AccumulateNV2", summands, {{"shape", shape}});
    }
  }
  throw Internal("an unknown way to add gradients up");
}

GradientValue ConcatSlices(GraphBuilder& builder, std::vector<GradientValue> slices) {
  // Slices that come from one place are joined there.
  const auto device_of = [&](const GradientValue& slice) { return builder.graph().node(slice.values.node).device; };
  const std::string device = device_of(slices[0]);
  const bool is_one_place =
      std::all_of(slices.begin(), slices.end(), [&](const auto& slice) { return device_of(slice) == device; });
  const GraphBuilder::DeviceScope there(builder, is_one_place ? device : "");
  UnifyIndexTypes(builder, slices);
  std::vector<Endpoint> values;
  std::vector<Endpoint> indices;
  for (const GradientValue& slice : slices) {
    values.push_back(slice.values);
    indices.push_back(slice.indices);
  }
  const Endpoint axis = builder.Constant(MakeScalar<int32_t>(0));
  values.push_back(axis);
  indices.push_back(axis);
  const Endpoint all_values = builder.Call("ConcatV2", values);
  return GradientValue::Sparse(all_values, builder.Call("ConcatV2", indices), slices[0].dense_shape);
}

}  // namespace

GradientValue Aggregate(GraphBuilder& builder, const std::vector<GradientValue>& contributions, Aggregation how) {
  std::vector<GradientValue> some;
  std::copy_if(contributions.begin(), contributions.end(), std::back_inserter(some),
               [](const GradientValue& value) { return !value.IsNone(); });
  if (some.empty()) return GradientValue::None();
  if (some.size() == 1) return some[0];
  const bool all_sparse = std::all_of(
      some.begin(), some.end(), [](const GradientValue& value) { return value.kind == GradientValue::Kind::kSparse; });
  if (all_sparse) return ConcatSlices(builder, std::move(some));
  std::vector<Endpoint> dense;
  dense.reserve(some.size());
  for (const GradientValue& value : some) dense.push_back(Densify(builder, value));
  return AddDense(builder, dense, how);
}

}  // namespace plumb
