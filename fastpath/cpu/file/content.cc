#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/device/kernel.h"
#include "spec/files/file_system.h"

namespace plumb::fast::cpu {
namespace {

const std::string& TextIn(const KernelContext& context, int input) {
  const Tensor& text = context.input(input);
  Require(text.rank() == 0, "input ", input, " must be a scalar, not of shape ", Printed(text.shape()));
  return text.data<std::string>()[0];
}

class ReadFileKernel : public Kernel {
 public:
  explicit ReadFileKernel(const Node&) {}

  void Run(KernelContext& context) override {
    std::string content = Files().Read(TextIn(context, 0));
    context.AllocateOutput(0, DType::kString, Shape()).mutable_data<std::string>()[0] = std::move(content);
  }
};

class WriteFileKernel : public Kernel {
 public:
  explicit WriteFileKernel(const Node&) {}

  void Run(KernelContext& context) override {
    const std::string& path = TextIn(context, 0);
    const std::string& content = TextIn(context, 1);
    const std::string folder = FolderOf(path);
    if (!folder.empty()) Files().MakeFolders(folder);
    Files().Write(path, content);
  }
};

constexpr KernelRow kRows[] = {
    {"ReadFile", Make<ReadFileKernel>},
    {"WriteFile", Make<WriteFileKernel>},
};

}  // namespace

std::span<const KernelRow> FileContent() { return kRows; }

}  // namespace plumb::fast::cpu
