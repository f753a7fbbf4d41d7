// SelectV2: t where the condition holds, else e, all three broadcast.
#include <algorithm>
#include <array>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/elementwise/broadcast.h"
#include "fastpath/cpu/lib/line_copy.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/math/either.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

constinit ChoicePoint in_one_row("SelectV2: rows, or one row");

struct Wide {
  uint64_t words[2];
};

// The condition, t and e.
using Three = std::array<int64_t, 3>;

struct Loop {
  int64_t size;
  Three strides;  // in elements; 0 repeats
};

// Loops over the result, outermost first; axes along which the same operands repeat are one.
struct Plan {
  Shape result;
  int rank = 0;
  Loop loops[kMaxRank + 1];
  Loop inner() const { return loops[rank - 1]; }
};

void AddOuter(Plan& plan, const Loop& loop) {
  if (loop.size == 1) return;
  if (plan.rank > 0) {
    Loop& last = plan.loops[plan.rank - 1];
    bool continues = true;
    for (size_t i = 0; i < 3; ++i) continues = continues && loop.strides[i] == last.strides[i] * last.size;
    if (continues) {
      last.size *= loop.size;
      return;
    }
  }
  plan.loops[plan.rank++] = loop;
}

Plan MakePlan(const std::array<const Tensor*, 3>& operands, const Shape& result) {
  Plan plan;
  plan.result = result;
  Three steps = {1, 1, 1};
  for (int place = 0; place < result.rank(); ++place) {
    Loop loop = {result[result.rank() - 1 - place], {}};
    for (size_t i = 0; i < 3; ++i) {
      const Shape& shape = operands[i]->shape();
      const int64_t size = place < shape.rank() ? shape[shape.rank() - 1 - place] : 1;
      loop.strides[i] = size == 1 ? 0 : steps[i];
      steps[i] *= size;
    }
    AddOuter(plan, loop);
  }
  if (plan.rank == 0) plan.loops[plan.rank++] = {1, {0, 0, 0}};
  std::reverse(plan.loops, plan.loops + plan.rank);
  return plan;
}

// Where row `row` of a plan begins in each operand.
Three RowStart(const Plan& plan, int64_t row) {
  Three start = {};
  for (int axis = plan.rank - 2; axis >= 0; --axis) {
    const int64_t index = row % plan.loops[axis].size;
    row /= plan.loops[axis].size;
    for (size_t i = 0; i < 3; ++i) start[i] += index * plan.loops[axis].strides[i];
  }
  return start;
}

using SelectLoop = void (*)(const bool* condition, const void* t, const void* e, void* out, const Three& start,
                            const Three& strides, int64_t n);

template <class T>
void SelectRow(const bool* condition, const void* t, const void* e, void* out, const Three& start, const Three& strides,
               int64_t n) {
  const T *yes = static_cast<const T*>(t) + start[1], *no = static_cast<const T*>(e) + start[2];
  const bool* choice = condition + start[0];
  T* const to = static_cast<T*>(out);
  if (strides[0] == 0) {
    const T* const from = *choice ? yes : no;
    const int64_t stride = *choice ? strides[1] : strides[2];
    if (stride == 0) {
      FillLine(*from, to, n);
    } else {
      std::copy(from, from + n, to);
    }
  } else if (strides[1] == 1 && strides[2] == 1) {
    for (int64_t i = 0; i < n; ++i) to[i] = Either(choice[i], yes[i], no[i]);
  } else {
    for (int64_t i = 0; i < n; ++i) to[i] = Either(choice[i], yes[i * strides[1]], no[i * strides[2]]);
  }
}

SelectLoop LoopFor(DType type) {
  if (type == DType::kString) return SelectRow<std::string>;
  if (type == DType::kResource) return SelectRow<ResourceHandle>;
  if (type == DType::kVariant) return SelectRow<Variant>;
  switch (ElementSize(type)) {
    case 1:
      return SelectRow<uint8_t>;
    case 2:
      return SelectRow<uint16_t>;
    case 4:
      return SelectRow<uint32_t>;
    case 8:
      return SelectRow<uint64_t>;
    default:
      return SelectRow<Wide>;
  }
}

Shape Broadcast(const Shape& a, const Shape& b) {
  BroadcastPlan plan;
  Require(MakeBroadcastPlan(a, b, plan), "the condition, t and e must be broadcast together, but ", a.ToString(),
          " and ", b.ToString(), " cannot");
  return plan.result;
}

class SelectV2 final : public Kernel {
 public:
  explicit SelectV2(const Node& node) : type_(InputType(node, 1)), loop_(LoopFor(type_)) {
    VisitType(type_, [this](auto tag) { size_ = sizeof(typename decltype(tag)::Type); });
  }

  void Run(KernelContext& context) override {
    const Tensor &condition = context.input(0), &t = context.input(1), &e = context.input(2);
    const Shape result = Broadcast(condition.shape(), Broadcast(t.shape(), e.shape()));
    Tensor& output = context.AllocateOutput(0, type_, result);
    if (result.elements() == 0) return;
    const Plan plan = MakePlan({&condition, &t, &e}, result);
    const Loop inner = plan.inner();
    const bool* const choice = condition.data<bool>().data();
    char* const to = static_cast<char*>(output.mutable_raw());
    if (in_one_row.Chosen(plan.rank == 1)) {
      context.pool().ParallelFor(inner.size, GrainFor(1), [&](int64_t begin, int64_t end) {
        Three start;
        for (size_t i = 0; i < 3; ++i) start[i] = begin * inner.strides[i];
        loop_(choice, t.raw(), e.raw(), to + begin * size_, start, inner.strides, end - begin);
      });
      return;
    }
    context.pool().ParallelFor(result.elements() / inner.size, GrainFor(inner.size), [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        loop_(choice, t.raw(), e.raw(), to + row * inner.size * size_, RowStart(plan, row), inner.strides, inner.size);
      }
    });
  }

 private:
  const DType type_;
  const SelectLoop loop_;
  int64_t size_ = 0;
};

constexpr KernelRow kRows[] = {
    {"SelectV2", Make<SelectV2>},
};

}  // namespace

std::span<const KernelRow> MathSelectV2() { return kRows; }

}  // namespace plumb::fast::cpu
