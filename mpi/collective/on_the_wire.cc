#include "mpi/collective/on_the_wire.h"

#include "fastpath/cpu/lib/half_convert.h"
#include "fastpath/cpu/lib/parallel.h"

namespace plumb::dist {
namespace {

using fast::cpu::GrainFor;

Tensor UpperHalves(fast::ThreadPool& pool, const Tensor& values) {
  Tensor halves = fast::Allocate(DType::kBfloat16, values.shape());
  const float* const from = values.data<float>().data();
  BFloat16* const to = halves.mutable_data<BFloat16>().data();
  pool.ParallelFor(values.elements(), GrainFor(1),
                   [&](int64_t begin, int64_t end) { fast::cpu::Truncate(from + begin, to + begin, end - begin); });
  return halves;
}

}  // namespace

bool TravelsAsBfloat16(const CollectiveMember& member, fast::Wire wire) {
  return wire != fast::Wire::kExact && member.kind == CollectiveKind::kReduce && member.dtype == DType::kFloat &&
         member.group_size > 1;
}

Tensor ForTheWire(fast::ThreadPool& pool, const Tensor& brought, fast::Wire wire) {
  if (wire == fast::Wire::kTruncated) return UpperHalves(pool, brought);
  return fast::cpu::RoundedTo(pool, DType::kBfloat16, brought);
}

Tensor FromTheWire(fast::ThreadPool& pool, const Tensor& came) { return fast::cpu::AsFloat(pool, came); }

}  // namespace plumb::dist
