// Checkpoints (rules Z30–Z39).
#include "spec/checkpoint/bundle.h"

#include "fastpath/cpu/checkpoint/bundle_slice.h"
#include "fastpath/cpu/checkpoint/slice_copy.h"
#include "fastpath/cpu/checkpoint/slice_file.h"
#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

constexpr int kFixedInputs = 3;

void CheckInputs(const KernelContext& context, int num_tensors) {
  Require(context.input(0).elements() == 1, "the prefix must be one string, not of shape ",
          Printed(context.input(0).shape()));
  for (const int i : {1, 2}) {
    Require(context.input(i).rank() == 1 && context.input(i).elements() == num_tensors, "input ", i, " must be ",
            num_tensors, " strings, not of shape ", Printed(context.input(i).shape()));
  }
}

class SaveV2Kernel : public Kernel {
 public:
  explicit SaveV2Kernel(const Node&) {}

  void Run(KernelContext& context) override {
    const int num_tensors = context.num_inputs() - kFixedInputs;
    CheckInputs(context, num_tensors);
    const auto names = context.input(1).data<std::string>(), texts = context.input(2).data<std::string>();
    BundleWriter writer(Files(), context.input(0).data<std::string>()[0]);
    for (int i = 0; i < num_tensors; ++i) {
      const Tensor& tensor = context.input(i + kFixedInputs);
      if (texts[i].empty()) {
        writer.Add(names[i], tensor);
      } else {
        const ShapeAndSlice place = PlaceOf(tensor, texts[i]);
        writer.AddSlice(names[i], place.shape, place.slice, tensor);
      }
    }
    writer.Finish();
  }
};

class RestoreV2Kernel : public Kernel {
 public:
  explicit RestoreV2Kernel(const Node& node) {
    for (const DType type : node.output_types) types_.push_back(Base(type));
  }

  void Run(KernelContext& context) override {
    CheckInputs(context, static_cast<int>(types_.size()));
    const std::string& prefix = context.input(0).data<std::string>()[0];
    if (Files().Exists(BundleIndexPath(prefix))) return RunBundle(context, prefix);
    SliceFileReader reader(Files(), prefix);
    const auto names = context.input(1).data<std::string>(), texts = context.input(2).data<std::string>();
    for (size_t i = 0; i < types_.size(); ++i) {
      context.SetOutput(static_cast<int>(i), ReadFromSliceFile(context.pool(), reader, names[i], texts[i], types_[i]));
    }
  }

 private:
  void RunBundle(KernelContext& context, const std::string& prefix) const {
    const auto names = context.input(1).data<std::string>(), texts = context.input(2).data<std::string>();
    BundleReader reader(Files(), prefix);
    const std::vector<int> order = OrderOf(names);  // that of the index
    std::vector<BundleEntry> entries(names.size());
    for (const int i : order) entries[i] = reader.Find(names[i]);
    for (const int i : order) {
      Require(entries[i].dtype == types_[i], "'", names[i], "' is of type ", DTypeName(entries[i].dtype),
              " in the checkpoint, ", DTypeName(types_[i]), " was asked for");
    }
    for (const int i : order) {
      const TensorSlice wanted = WantedOf(entries[i].shape, texts[i], names[i]);
      context.SetOutput(i, ReadSlice(context.pool(), reader, entries[i], wanted));
    }
  }

  std::vector<DType> types_;
};

class MergeKernel : public Kernel {
 public:
  explicit MergeKernel(const Node& node)
      : deletes_folders_(GetAttr<bool>(node.attrs, "delete_old_dirs")),
        allows_missing_(GetAttr<bool>(node.attrs, "allow_missing_files")) {}

  void Run(KernelContext& context) override {
    const Tensor &prefixes = context.input(0), &merged = context.input(1);
    Require(prefixes.rank() == 1 && merged.rank() == 0, "prefixes must be a vector, not of shape ",
            Printed(prefixes.shape()), ", the new one a scalar, not of shape ", Printed(merged.shape()));
    const auto old = prefixes.data<std::string>();
    const std::string& target = merged.data<std::string>()[0];
    MergeBundles(Files(), {old.begin(), old.end()}, target, allows_missing_);
    if (!deletes_folders_) return;
    for (const std::string& prefix : old) RemoveEmpty(FolderOf(prefix), FolderOf(target));
  }

 private:
  static void RemoveEmpty(const std::string& folder, const std::string& kept) {
    if (folder.empty() || folder == kept || !Files().Exists(folder)) return;
    if (Files().List(folder).empty()) Files().RemoveFolder(folder);
  }

  const bool deletes_folders_;
  const bool allows_missing_;
};

constexpr KernelRow kRows[] = {
    {"SaveV2", Make<SaveV2Kernel>},
    {"RestoreV2", Make<RestoreV2Kernel>},
    {"MergeV2Checkpoints", Make<MergeKernel>},
};

}  // namespace

std::span<const KernelRow> CheckpointBundle() { return kRows; }

}  // namespace plumb::fast::cpu
