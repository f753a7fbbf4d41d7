#include <algorithm>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/device/kernel.h"
#include "spec/files/file_pattern.h"

namespace plumb::fast::cpu {
namespace {

class MatchingFilesKernel : public Kernel {
 public:
  explicit MatchingFilesKernel(const Node&) {}

  void Run(KernelContext& context) override {
    const Tensor& patterns = context.input(0);
    Require(patterns.rank() <= 1, "the patterns must be a scalar or a vector, not of shape ",
            Printed(patterns.shape()));
    std::vector<std::string> paths;
    for (const std::string& pattern : patterns.data<std::string>()) {
      std::vector<std::string> found = Matching(Files(), pattern);
      paths.insert(paths.end(), std::move_iterator(found.begin()), std::move_iterator(found.end()));
    }
    if (patterns.elements() > 1) std::sort(paths.begin(), paths.end());  // those of one pattern are sorted already
    Tensor& output = context.AllocateOutput(0, DType::kString, Shape{static_cast<int64_t>(paths.size())});
    std::move(paths.begin(), paths.end(), output.mutable_data<std::string>().begin());
  }
};

constexpr KernelRow kRows[] = {
    {"MatchingFiles", Make<MatchingFilesKernel>},
};

}  // namespace

std::span<const KernelRow> FilePattern() { return kRows; }

}  // namespace plumb::fast::cpu
