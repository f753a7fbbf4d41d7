// Select: t where the condition holds, else e. The condition has their shape, or is a scalar, or one bool per row.
#include <algorithm>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/math/either.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

constinit ChoicePoint in_rows("Select: element by element, or in rows");

struct Wide {
  uint64_t words[2];
};

// out[i] = condition[i / run] ? t[i] : e[i]
using SelectLoop = void (*)(const bool* condition, const void* t, const void* e, void* out, int64_t rows, int64_t run);

template <class T>
void SelectRows(const bool* condition, const void* t, const void* e, void* out, int64_t rows, int64_t run) {
  const T *yes = static_cast<const T*>(t), *no = static_cast<const T*>(e);
  T* to = static_cast<T*>(out);
  if (run == 1) {
    for (int64_t i = 0; i < rows; ++i) to[i] = Either(condition[i], yes[i], no[i]);
    return;
  }
  for (int64_t row = 0; row < rows; ++row) {
    const T* from = (condition[row] ? yes : no) + row * run;
    if (from != to + row * run) std::copy(from, from + run, to + row * run);
  }
}

SelectLoop LoopFor(DType type) {
  switch (type) {
    case DType::kString:
      return SelectRows<std::string>;
    case DType::kResource:
      return SelectRows<ResourceHandle>;
    case DType::kVariant:
      return SelectRows<Variant>;
    default:
      break;
  }
  switch (ElementSize(type)) {
    case 1:
      return SelectRows<uint8_t>;
    case 2:
      return SelectRows<uint16_t>;
    case 4:
      return SelectRows<uint32_t>;
    case 8:
      return SelectRows<uint64_t>;
    default:
      return SelectRows<Wide>;
  }
}

class Select final : public Kernel {
 public:
  explicit Select(const Node& node) : type_(InputType(node, 1)), loop_(LoopFor(type_)) {
    VisitType(type_, [this](auto tag) { step_ = sizeof(typename decltype(tag)::Type); });
  }

  void Run(KernelContext& context) override {
    const Tensor &condition = context.input(0), &t = context.input(1), &e = context.input(2);
    Require(t.shape() == e.shape(), "'then' and 'else' must have one shape, not ", t.shape().ToString(), " and ",
            e.shape().ToString());
    if (condition.rank() == 0) {
      context.SetOutput(0, condition.scalar<bool>() ? t : e);  // R31
      return;
    }
    const int64_t rows = condition.elements();
    if (condition.rank() == 1 && t.rank() > 1) {
      Require(rows == t.dim(0), "a condition of ", rows, " values cannot choose among ", t.dim(0), " rows");
    } else {
      Require(condition.shape() == t.shape(), "the condition's shape ", condition.shape().ToString(),
              " must be that of 'then', ", t.shape().ToString());
    }
    if (rows == 0) {
      context.AllocateOutput(0, type_, t.shape());
      return;
    }
    context.CopyGuarded(1);
    context.CopyGuarded(2);
    RunRows(context, rows, t.elements() / rows);
  }
  bool KeepsAliases() const override { return true; }

 private:
  void RunRows(KernelContext& context, int64_t rows, int64_t run) const {
    const bool* condition = context.input(0).data<bool>().data();
    const char* t = static_cast<const char*>(context.input(1).raw());
    const char* e = static_cast<const char*>(context.input(2).raw());
    const Shape shape = context.input(1).shape();
    Tensor* output = context.TryForward(1, 0, type_, shape);
    if (output == nullptr) output = &context.ForwardOrAllocate(2, 0, type_, shape);
    char* out = static_cast<char*>(output->mutable_raw());
    const int64_t row_bytes = run * static_cast<int64_t>(step_);
    in_rows.Chosen(run > 1);
    context.pool().ParallelFor(rows, GrainFor(run), [&](int64_t begin, int64_t end) {
      loop_(condition + begin, t + begin * row_bytes, e + begin * row_bytes, out + begin * row_bytes, end - begin, run);
    });
  }

  DType type_;
  size_t step_ = 0;
  SelectLoop loop_;
};

constexpr KernelRow kRows[] = {
    {"Select", Make<Select>},
};

}  // namespace

std::span<const KernelRow> MathSelect() { return kRows; }

}  // namespace plumb::fast::cpu
