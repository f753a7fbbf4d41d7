#include "reference/kernel/op_context.h"
#include "spec/files/file_system.h"

namespace plumb::reference {
namespace {

const std::string& Text(const OpContext& c, int input) {
  Require(c.tensor(input).rank() == 0, "input ", input, " is a scalar, not of shape ",
          c.tensor(input).shape().ToString());
  return c.tensor(input).data<std::string>()[0];
}

void ReadFile(OpContext& c) { c.Output(0, MakeScalar(Files().Read(Text(c, 0)))); }

void WriteFile(OpContext& c) {
  const std::string &path = Text(c, 0), &contents = Text(c, 1);
  Files().MakeFolders(FolderOf(path));
  Files().Write(path, contents);
}

constexpr KernelRow kRows[] = {
    {"ReadFile", ReadFile},
    {"WriteFile", WriteFile},
};

}  // namespace

namespace topics {
std::span<const KernelRow> FileContent() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
