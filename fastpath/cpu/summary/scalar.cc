#include <absl/container/flat_hash_set.h>

#include "fastpath/cpu/lib/printed.h"
#include "fastpath/cpu/lib/types.h"
#include "fastpath/device/kernel.h"
#include "spec/proto/event.pb.h"

namespace plumb::fast::cpu {
namespace {

void Output(KernelContext& context, const pb::Summary& summary) {
  summary.SerializeToString(context.AllocateOutput(0, DType::kString, Shape()).mutable_data<std::string>().data());
}

class ScalarSummaryKernel : public Kernel {
 public:
  explicit ScalarSummaryKernel(const Node& node) : type_(InputType(node, 1)) {}

  void Run(KernelContext& context) override {
    const Tensor &tags = context.input(0), &values = context.input(1);
    Require(tags.shape() == values.shape(), "there is a tag for each value, and so ", Printed(tags.shape()),
            " cannot go with ", Printed(values.shape()));
    pb::Summary summary;
    summary.mutable_value()->Reserve(static_cast<int>(std::min<int64_t>(values.elements(), INT32_MAX)));
    const std::string* names = tags.data<std::string>().data();
    VisitOneOf(kTypes, type_, false, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      for (const T number : values.data<T>()) {
        pb::Summary::Value* const value = summary.add_value();
        value->set_tag(*names++);
        value->set_simple_value(static_cast<float>(number));
      }
      return true;
    });
    Output(context, summary);
  }

 private:
  static constexpr auto kTypes = FloatTypes() + IntegerTypes();

  const DType type_;
};

class MergeSummaryKernel : public Kernel {
 public:
  explicit MergeSummaryKernel(const Node&) {}

  void Run(KernelContext& context) override {
    pb::Summary merged, summary;
    for (int i = 0; i < context.num_inputs(); ++i) {
      for (const std::string& bytes : context.input(i).data<std::string>()) {
        Require(summary.ParseFromString(bytes), "input ", i, " is no summary");
        for (pb::Summary::Value& value : *summary.mutable_value()) merged.add_value()->Swap(&value);
      }
    }
    absl::flat_hash_set<std::string_view> tags;
    for (const pb::Summary::Value& value : merged.value()) {
      Require(value.tag().empty() || tags.insert(value.tag()).second, "two values have the tag '", value.tag(), "'");
    }
    Output(context, merged);
  }
};

constexpr KernelRow kRows[] = {
    {"ScalarSummary", Make<ScalarSummaryKernel>},
    {"MergeSummary", Make<MergeSummaryKernel>},
};

}  // namespace

std::span<const KernelRow> SummaryScalar() { return kRows; }

}  // namespace plumb::fast::cpu
