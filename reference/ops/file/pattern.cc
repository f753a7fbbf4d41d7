#include <algorithm>

#include "reference/kernel/op_context.h"
#include "spec/files/file_pattern.h"

namespace plumb::reference {
namespace {

// A file that matches two patterns is there twice.
void MatchingFiles(OpContext& c) {
  const Tensor& patterns = c.tensor(0);
  Require(patterns.rank() <= 1, "the patterns are a scalar or a vector, not of shape ", patterns.shape().ToString());
  std::vector<std::string> paths;
  for (const std::string& pattern : patterns.data<std::string>()) {
    for (const std::string& path : Matching(Files(), pattern)) paths.push_back(path);
  }
  std::sort(paths.begin(), paths.end());
  Tensor found(DType::kString, Shape{static_cast<int64_t>(paths.size())});
  std::copy(paths.begin(), paths.end(), found.mutable_data<std::string>().begin());
  c.Output(0, std::move(found));
}

constexpr KernelRow kRows[] = {
    {"MatchingFiles", MatchingFiles},
};

}  // namespace

namespace topics {
std::span<const KernelRow> FilePattern() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
