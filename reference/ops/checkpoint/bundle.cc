// Checkpoints (rules Z30–Z39).
#include "spec/checkpoint/bundle.h"

#include <algorithm>
#include <numeric>

#include "reference/kernel/op_context.h"
#include "reference/ops/checkpoint/assemble.h"
#include "reference/ops/checkpoint/slice_file.h"

namespace plumb::reference {
namespace {

constexpr int kFixedInputs = 3;

const std::string& Text(const OpContext& c, int input, int64_t i = 0) {
  return c.tensor(input).data<std::string>()[static_cast<size_t>(i)];
}

void CheckInputs(const OpContext& c, int64_t num_tensors) {
  Require(c.tensor(0).elements() == 1, "one prefix is needed, not ", c.tensor(0).shape().ToString());
  for (const int i : {1, 2}) {
    Require(c.tensor(i).rank() == 1 && c.tensor(i).elements() == num_tensors, "input ", i, " has a text for each of ",
            num_tensors, " tensors, not the shape ", c.tensor(i).shape().ToString());
  }
}

void SaveV2(OpContext& c) {
  const int num_tensors = c.num_inputs() - kFixedInputs;
  CheckInputs(c, num_tensors);
  BundleWriter writer(Files(), Text(c, 0));
  for (int i = 0; i < num_tensors; ++i) {
    const Tensor& tensor = c.tensor(i + kFixedInputs);
    const std::string& text = Text(c, 2, i);
    const ShapeAndSlice as = SavedAs(tensor, text);
    if (text.empty()) {
      writer.Add(Text(c, 1, i), tensor);
    } else {
      writer.AddSlice(Text(c, 1, i), as.shape, as.slice, tensor);
    }
  }
  writer.Finish();
}

void RestoreV2(OpContext& c) {
  const auto num_tensors = static_cast<int64_t>(c.outputs.size());
  CheckInputs(c, num_tensors);
  const std::string& prefix = Text(c, 0);
  if (!Files().Exists(BundleIndexPath(prefix))) {
    for (int i = 0; i < num_tensors; ++i) {
      c.Output(i, RestoreFromSliceFile(prefix, Text(c, 1, i), Text(c, 2, i), c.output_type(i)));
    }
    return;
  }
  BundleReader reader(Files(), prefix);
  std::vector<int> by_name(static_cast<size_t>(num_tensors));
  std::iota(by_name.begin(), by_name.end(), 0);
  std::stable_sort(by_name.begin(), by_name.end(), [&](int a, int b) { return Text(c, 1, a) < Text(c, 1, b); });
  std::vector<BundleEntry> entries(by_name.size());
  for (const int i : by_name) entries[i] = reader.Find(Text(c, 1, i));
  for (const int i : by_name) {
    Require(entries[i].dtype == c.output_type(i), "'", entries[i].name, "' is ", DTypeName(entries[i].dtype),
            " in the checkpoint, not ", DTypeName(c.output_type(i)));
  }
  for (const int i : by_name) {
    TensorSlice wanted = TensorSlice::Whole(entries[i].shape.rank());
    if (!Text(c, 2, i).empty()) {
      const ShapeAndSlice as = ParseShapeAndSlice(Text(c, 2, i));
      Require(as.shape == entries[i].shape, "'", entries[i].name, "' has the shape ", entries[i].shape.ToString(),
              " in the checkpoint, not ", as.shape.ToString());
      wanted = as.slice;
    }
    c.Output(i, ReadSlice(reader, entries[i], wanted));
  }
}

void MergeV2Checkpoints(OpContext& c) {
  Require(c.tensor(0).rank() == 1, "the prefixes are a vector, not of shape ", c.tensor(0).shape().ToString());
  Require(c.tensor(1).rank() == 0, "the new prefix is a scalar, not of shape ", c.tensor(1).shape().ToString());
  const auto prefixes = c.tensor(0).data<std::string>();
  const std::string& merged = Text(c, 1);
  MergeBundles(Files(), {prefixes.begin(), prefixes.end()}, merged, c.attr<bool>("allow_missing_files"));
  if (!c.attr<bool>("delete_old_dirs")) return;
  for (const std::string& prefix : prefixes) {
    const std::string folder = FolderOf(prefix);
    const bool is_old = !folder.empty() && folder != FolderOf(merged) && Files().Exists(folder);
    if (is_old && Files().List(folder).empty()) Files().RemoveFolder(folder);
  }
}

constexpr KernelRow kRows[] = {
    {"SaveV2", SaveV2},
    {"RestoreV2", RestoreV2},
    {"MergeV2Checkpoints", MergeV2Checkpoints},
};

}  // namespace

namespace topics {
std::span<const KernelRow> CheckpointBundle() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
