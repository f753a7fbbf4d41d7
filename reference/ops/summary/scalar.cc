#include <set>

#include "reference/kernel/op_context.h"
#include "reference/numbers/numbers_io.h"
#include "spec/proto/event.pb.h"

namespace plumb::reference {
namespace {

// Numbers of any type as floats.
void ScalarSummary(OpContext& c) {
  const Tensor &tags = c.tensor(0), &values = c.tensor(1);
  Require(tags.shape() == values.shape(), "tags and values must have one shape, not ", tags.shape().ToString(), " and ",
          values.shape().ToString());
  pb::Summary summary;
  VisitType(values.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    if constexpr (requires(T number) { static_cast<float>(number); }) {
      for (int64_t i = 0; i < values.elements(); ++i) {
        pb::Summary::Value* const value = summary.add_value();
        value->set_tag(tags.data<std::string>()[i]);
        value->set_simple_value(static_cast<float>(values.data<T>()[i]));
      }
    }
  });
  c.Output(0, MakeScalar(summary.SerializeAsString()));
}

void MergeSummary(OpContext& c) {
  pb::Summary merged;
  std::set<std::string> tags;
  for (int i = 0; i < c.num_inputs(); ++i) {
    for (const std::string& bytes : c.tensor(i).data<std::string>()) {
      pb::Summary summary;
      Require(summary.ParseFromString(bytes), "input ", i, " has bytes that are no summary");
      for (const pb::Summary::Value& value : summary.value()) {
        Require(value.tag().empty() || tags.insert(value.tag()).second, "the tag '", value.tag(), "' occurs twice");
        *merged.add_value() = value;
      }
    }
  }
  c.Output(0, MakeScalar(merged.SerializeAsString()));
}

constexpr KernelRow kRows[] = {
    {"ScalarSummary", ScalarSummary},
    {"MergeSummary", MergeSummary},
};

}  // namespace

namespace topics {
std::span<const KernelRow> SummaryScalar() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
