// A tensor whose bytes are a file's.
#include <cstring>

#include "reference/kernel/op_context.h"
#include "spec/files/file_system.h"

namespace plumb::reference {
namespace {

void CheckType(const Node& node) {
  const DType dtype = GetAttr<DType>(node.attrs, "dtype");
  if (dtype == DType::kString || dtype == DType::kResource || dtype == DType::kVariant) {
    throw Unimplemented("node '", node.name, "': elements of ", DTypeName(dtype), " cannot be read from a file");
  }
}

void ImmutableConst(OpContext& c) {
  const PartialShape& shape = c.attr<PartialShape>("shape");
  Require(!shape.has_rank() || shape.IsFullyDefined(), "the shape of a tensor in a file must be known, not ",
          shape.ToString());
  const std::string& path = c.attr<std::string>("memory_region_name");
  if (!Files().Exists(path) || Files().IsFolder(path)) throw NotFound("there is no file ", path);
  Tensor tensor(c.output_type(0), shape.has_rank() ? shape.ToShape() : Shape());
  const std::string bytes = Files().Read(path);
  Require(!bytes.empty(), "the file ", path, " is empty");
  Require(tensor.bytes() <= bytes.size(), "the file ", path, " has ", bytes.size(), " bytes, the tensor ",
          tensor.bytes());
  if (tensor.bytes() > 0) std::memcpy(tensor.mutable_raw(), bytes.data(), tensor.bytes());
  c.Output(0, std::move(tensor));
}

constexpr KernelRow kRows[] = {
    {"ImmutableConst", ImmutableConst, CheckType},
};

}  // namespace

namespace topics {
std::span<const KernelRow> FileImmutableConst() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
