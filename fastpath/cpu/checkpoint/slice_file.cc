#include "fastpath/cpu/checkpoint/slice_file.h"

#include "fastpath/cpu/checkpoint/slice_copy.h"
#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {

Tensor ReadFromSliceFile(ThreadPool& pool, SliceFileReader& reader, const std::string& name,
                         const std::string& shape_and_slice, DType dtype) {
  const SlicedTensor& stored = reader.Find(name);
  Require(stored.dtype == dtype, "'", name, "' is of type ", DTypeName(stored.dtype), " in the checkpoint, ",
          DTypeName(dtype), " was asked for");
  const TensorSlice wanted = WantedOf(stored.shape, shape_and_slice, name);
  const Shape shape = ShapeOfSlice(wanted, stored.shape);
  if (shape.elements() == 0) return Allocate(dtype, shape);
  if (!IsSliceFileType(dtype)) {
    throw Unimplemented("a checkpoint of the first format has no tensors of type ", DTypeName(dtype));
  }
  const std::vector<size_t> parts = PartsFor(wanted, stored.slices, stored.shape, name);
  if (parts.size() == 1 && IsSameRegion(stored.slices[parts[0]], wanted, stored.shape)) {
    return reader.Read(stored, parts[0]);
  }
  Tensor result = Allocate(dtype, shape);
  for (const size_t part : parts) {
    CopyCommon(pool, stored.shape, stored.slices[part], reader.Read(stored, part), wanted, result);
  }
  return result;
}

namespace {

const std::string& PathIn(const KernelContext& context) {
  const Tensor& path = context.input(0);
  Require(path.elements() == 1, "the file name must be one string, not of shape ", Printed(path.shape()));
  return path.data<std::string>()[0];
}

class SaveKernel : public Kernel {
 public:
  SaveKernel(const Node&, bool has_slices) : fixed_inputs_(has_slices ? 3 : 2) {}

  void Run(KernelContext& context) override {
    const std::string& path = PathIn(context);
    const int num_tensors = context.num_inputs() - fixed_inputs_;
    for (int i = 1; i < fixed_inputs_; ++i) {
      Require(context.input(i).elements() == num_tensors, "input ", i, " must have ", num_tensors,
              " strings, not the shape ", Printed(context.input(i).shape()));
    }
    const auto names = context.input(1).data<std::string>();
    SliceFileWriter writer(Files(), path);
    for (const int i : OrderOf(names)) {
      const Tensor& tensor = context.input(i + fixed_inputs_);
      const std::string text = fixed_inputs_ > 2 ? context.input(2).data<std::string>()[i] : "";
      const ShapeAndSlice place = PlaceOf(tensor, text);
      writer.Add(names[i], place.shape, place.slice, tensor);
    }
    writer.Finish();
  }

 private:
  const int fixed_inputs_;
};

class RestoreKernel : public Kernel {
 public:
  RestoreKernel(const Node& node, bool has_slice) : dtype_(OutputType(node, 0)), has_slice_(has_slice) {}

  void Run(KernelContext& context) override {
    for (int i = 1; i < context.num_inputs(); ++i) {
      Require(context.input(i).elements() > 0, "input ", i, " must be a string");
    }
    SliceFileReader reader(Files(), PathIn(context));
    const std::string slice = has_slice_ ? context.input(2).data<std::string>()[0] : "";
    context.SetOutput(
        0, ReadFromSliceFile(context.pool(), reader, context.input(1).data<std::string>()[0], slice, dtype_));
  }

 private:
  const DType dtype_;
  const bool has_slice_;
};

constexpr KernelRow kRows[] = {
    {"Save", MakeWith<SaveKernel, false>},
    {"SaveSlices", MakeWith<SaveKernel, true>},
    {"Restore", MakeWith<RestoreKernel, false>},
    {"RestoreSlice", MakeWith<RestoreKernel, true>},
};

}  // namespace

std::span<const KernelRow> CheckpointSliceFile() { return kRows; }

}  // namespace plumb::fast::cpu
