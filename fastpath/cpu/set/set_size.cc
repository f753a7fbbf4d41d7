// SetSize: how many different values the rows of a sparse tensor have.
#include "fastpath/cpu/lib/set_rows.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

class SetSize final : public Kernel {
 public:
  explicit SetSize(const Node& node) : validate_(GetAttr<bool>(node.attrs, "validate_indices")) {}
  void Run(KernelContext& context) override {
    const SetRuns sets(context, 0, validate_);
    Tensor& output = context.AllocateOutput(0, DType::kInt32, sets.outer.ToShape());
    FillZero(context.pool(), output);
    int32_t* const sizes = output.mutable_data<int32_t>().data();
    VisitOneOf(SetTypes(), sets.view.values->dtype(), false, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      std::vector<Member<T>> members;
      for (const SetRun& run : sets.runs) {
        sets.CheckRun(run);
        Require(Contains(sets.outer, run.row), "element ", run.begin, " has a negative coordinate");
        SortInto(sets.view.values->template data<T>().data(), run.begin, run.end, members);
        sizes[PlaceIn(sets.outer, run.row)] = static_cast<int32_t>(members.size());
      }
      return true;
    });
  }

 private:
  const bool validate_;
};

constexpr KernelRow kRows[] = {
    {"SetSize", Make<SetSize>},
};

}  // namespace

std::span<const KernelRow> SetSetSize() { return kRows; }

}  // namespace plumb::fast::cpu
