// A tensor whose bytes are a file's: read straight into its memory.
#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/device/kernel.h"
#include "spec/files/file_system.h"

namespace plumb::fast::cpu {
namespace {

class ImmutableConstKernel final : public Kernel {
 public:
  explicit ImmutableConstKernel(const Node& node)
      : node_(node.name),
        path_(GetAttr<std::string>(node.attrs, "memory_region_name")),
        dtype_(OutputType(node, 0)),
        shape_(GetAttr<PartialShape>(node.attrs, "shape")) {
    if (dtype_ == DType::kString || dtype_ == DType::kResource || dtype_ == DType::kVariant) {
      throw Unimplemented("elements of ", DTypeName(dtype_), " cannot be read from a file");
    }
  }

  void Run(KernelContext& context) override {
    Require(!shape_.has_rank() || shape_.IsFullyDefined(), "the shape must be known, not ", shape_.ToString());
    if (Files().IsFolder(path_)) throw NotFound(path_, " is a folder");
    const auto file = Files().Open(path_);
    Require(file->size() > 0, "the file ", path_, " is empty");
    const Shape shape = shape_.has_rank() ? shape_.ToShape() : Shape();
    const int64_t size = shape.elements() * static_cast<int64_t>(ElementSize(dtype_));
    Require(size <= file->size(), "the file ", path_, " has ", file->size(), " bytes, the tensor ", size);
    Tensor& tensor = context.AllocateOutput(0, dtype_, shape);
    if (size > 0) file->ReadAt(0, size, tensor.mutable_raw());
  }

 private:
  const std::string node_, path_;
  const DType dtype_;
  const PartialShape shape_;
};

constexpr KernelRow kRows[] = {
    {"ImmutableConst", Make<ImmutableConstKernel>},
};

}  // namespace

std::span<const KernelRow> FileImmutableConst() { return kRows; }

}  // namespace plumb::fast::cpu
