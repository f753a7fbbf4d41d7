// Bitcast: the input's bytes under another type.
#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/device/kernel.h"
#include "fastpath/device/variable_buffer.h"

namespace plumb::fast::cpu {
namespace {

// A tensor of this type and shape in the input's memory. Its own is only laid out, never touched.
Tensor InMemoryOf(const Tensor& input, DType type, const Shape& shape) {
  const auto size = static_cast<int64_t>(ElementSize(type));
  auto* const buffer = const_cast<Buffer*>(input.buffer());  // NOLINT: for its count
  const int64_t before = (static_cast<const char*>(input.raw()) - static_cast<const char*>(buffer->data)) / size;
  const Tensor layout(type, Shape({before + shape.elements()}));
  buffer->Ref();
  return layout.OnBuffer(buffer).Rows(before, shape.elements()).Reshaped(shape);
}

class Bitcast final : public Kernel {
 public:
  explicit Bitcast(const Node& node)
      : to_(OutputType(node, 0)),
        from_size_(static_cast<int64_t>(ElementSize(InputType(node, 0)))),
        to_size_(static_cast<int64_t>(ElementSize(to_))) {}

  // R31. Elements that are reached under a guard have one from the beginning.
  bool KeepsAliases() const override { return true; }

  void Run(KernelContext& context) override {
    if (context.input(0).dtype() == to_) return context.SetOutput(0, context.input(0));
    const Shape shape = TargetShape(context.input(0).shape());
    const bool begins_element =
        reinterpret_cast<uintptr_t>(context.input(0).raw()) % static_cast<uintptr_t>(to_size_) == 0;
    if (!begins_element || (IsWide(to_) && context.input(0).is_alias())) context.Unalias(0);
    if (shape.elements() == 0) {
      context.AllocateOutput(0, to_, shape);
    } else {
      context.SetOutput(0, InMemoryOf(context.input(0), to_, shape));
    }
  }

 private:
  Shape TargetShape(const Shape& shape) const {
    Dims dims(shape);
    if (from_size_ > to_size_) dims.Append(from_size_ / to_size_);
    if (from_size_ >= to_size_) return dims.ToShape();
    const int64_t ratio = to_size_ / from_size_;
    Require(dims.rank > 0 && dims[dims.rank - 1] == ratio, "the last dimension must be ", ratio,
            ", as many elements as make a wider one; the shape is ", shape.ToString());
    --dims.rank;
    return dims.ToShape();
  }

  const DType to_;
  const int64_t from_size_, to_size_;
};

constexpr KernelRow kRows[] = {
    {"Bitcast", Make<Bitcast>},
};

}  // namespace

std::span<const KernelRow> ArrayBitcast() { return kRows; }

}  // namespace plumb::fast::cpu
