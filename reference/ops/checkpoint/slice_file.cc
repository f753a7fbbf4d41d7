#include "reference/ops/checkpoint/slice_file.h"

#include <algorithm>
#include <numeric>

#include "reference/kernel/op_context.h"
#include "reference/ops/checkpoint/assemble.h"
#include "spec/checkpoint/slice_file.h"

namespace plumb::reference {

Tensor RestoreFromSliceFile(const std::string& pattern, const std::string& name, const std::string& shape_and_slice,
                            DType dtype) {
  SliceFileReader reader(Files(), pattern);
  const SlicedTensor& tensor = reader.Find(name);
  Require(tensor.dtype == dtype, "'", name, "' is ", DTypeName(tensor.dtype), " in the checkpoint, not ",
          DTypeName(dtype));
  TensorSlice wanted = TensorSlice::Whole(tensor.shape.rank());
  if (!shape_and_slice.empty()) {
    const ShapeAndSlice as = ParseShapeAndSlice(shape_and_slice);
    Require(as.shape == tensor.shape, "'", name, "' has the shape ", tensor.shape.ToString(),
            " in the checkpoint, not ", as.shape.ToString());
    wanted = as.slice;
  }
  if (!IsSliceFileType(dtype) && ShapeOfSlice(wanted, tensor.shape).elements() > 0) {
    throw Unimplemented("checkpoints of the first format hold no ", DTypeName(dtype));
  }
  return Assemble(dtype, tensor.shape, wanted, tensor.slices, [&](size_t i) { return reader.Read(tensor, i); });
}

namespace {

// What a text input with one element says.
const std::string& Text(const OpContext& c, int input) {
  Require(c.tensor(input).elements() > 0, "input ", input, " has no text");
  return c.tensor(input).data<std::string>()[0];
}
const std::string& Path(const OpContext& c) {
  Require(c.tensor(0).elements() == 1, "one file name is needed, not ", c.tensor(0).shape().ToString());
  return Text(c, 0);
}

void SaveAll(OpContext& c, bool has_slices) {
  const int fixed_inputs = has_slices ? 3 : 2;
  const int num_tensors = c.num_inputs() - fixed_inputs;
  const std::string& path = Path(c);
  for (int i = 1; i < fixed_inputs; ++i) {
    Require(c.tensor(i).elements() == num_tensors, "input ", i, " has ", c.tensor(i).elements(), " texts for ",
            num_tensors, " tensors");
  }
  const auto names = c.tensor(1).data<std::string>();
  std::vector<int> by_name(names.size());
  std::iota(by_name.begin(), by_name.end(), 0);
  std::stable_sort(by_name.begin(), by_name.end(), [&](int a, int b) { return names[a] < names[b]; });
  SliceFileWriter writer(Files(), path);
  for (const int i : by_name) {
    const Tensor& tensor = c.tensor(i + fixed_inputs);
    const ShapeAndSlice as = SavedAs(tensor, has_slices ? c.tensor(2).data<std::string>()[i] : "");
    writer.Add(names[i], as.shape, as.slice, tensor);
  }
  writer.Finish();
}

void Save(OpContext& c) { SaveAll(c, false); }
void SaveSlices(OpContext& c) { SaveAll(c, true); }

void Restore(OpContext& c) { c.Output(0, RestoreFromSliceFile(Path(c), Text(c, 1), "", c.output_type(0))); }
void RestoreSlice(OpContext& c) {
  c.Output(0, RestoreFromSliceFile(Path(c), Text(c, 1), Text(c, 2), c.output_type(0)));
}

constexpr KernelRow kRows[] = {
    {"Save", Save},
    {"SaveSlices", SaveSlices},
    {"Restore", Restore},
    {"RestoreSlice", RestoreSlice},
};

}  // namespace

namespace topics {
std::span<const KernelRow> CheckpointSliceFile() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
