#include "reference/kernel/op_context.h"

namespace plumb::reference {
namespace {

void RequireScalars(const OpContext& c) {
  for (int i = 0; i < c.num_inputs(); ++i) {
    Require(c.tensor(i).rank() == 0, "input ", i, " is a scalar, not of shape ", c.tensor(i).shape().ToString());
  }
}

// At least five characters, a sign among them, with zeros in front.
std::string FiveDigits(int64_t number) {
  std::string digits = std::to_string(number < 0 ? -number : number);
  const size_t width = number < 0 ? 4 : 5;
  while (digits.size() < width) digits.insert(0, "0");
  return number < 0 ? "-" + digits : digits;
}

std::string Name(const std::string& base, const std::string& shard, int64_t num_shards) {
  return base + "-" + shard + "-of-" + FiveDigits(num_shards);
}

void ShardedFilename(OpContext& c) {
  RequireScalars(c);
  c.Output(0, MakeScalar(Name(c.tensor(0).scalar<std::string>(), FiveDigits(c.tensor(1).scalar<int32_t>()),
                              c.tensor(2).scalar<int32_t>())));
}

void ShardedFilespec(OpContext& c) {
  RequireScalars(c);
  const std::string any_shard(5, '?');
  c.Output(0, MakeScalar(Name(c.tensor(0).scalar<std::string>(), any_shard, c.tensor(1).scalar<int32_t>())));
}

constexpr KernelRow kRows[] = {
    {"ShardedFilename", ShardedFilename},
    {"ShardedFilespec", ShardedFilespec},
};

}  // namespace

namespace topics {
std::span<const KernelRow> CheckpointShardedName() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
