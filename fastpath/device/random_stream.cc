#include "fastpath/device/random_stream.h"

#include <algorithm>
#include <random>
#include <utility>

namespace plumb::fast {

RandomStream::RandomStream(int64_t seed, int64_t seed2) {
  if (seed == 0 && seed2 == 0) {
    std::random_device device;
    const auto word64 = [&] { return static_cast<uint64_t>(device()) << 32 | device(); };
    generator_ = Philox(word64(), word64());
  } else {
    generator_ = Philox(static_cast<uint64_t>(seed), static_cast<uint64_t>(seed2));
  }
}

Philox RandomStream::Reserve(uint64_t blocks) {
  MutexLock lock(mutex_);
  Philox reserved = generator_;
  generator_.Skip(blocks);
  return reserved;
}

void RandomStream::Save(const StateWriter& writer) const {
  MutexLock lock(mutex_);
  Tensor state(DType::kUint32, {static_cast<int64_t>(Philox::State().size())});
  const Philox::State words = generator_.state();
  std::copy(words.begin(), words.end(), state.mutable_data<uint32_t>().begin());
  writer.Put("philox", std::move(state));
}

void RandomStream::Restore(const StateReader& reader) {
  const Tensor& saved = reader.Get("philox");
  Philox::State state;
  if (saved.dtype() != DType::kUint32 || saved.elements() != static_cast<int64_t>(state.size())) {
    throw DataLoss("the saved state of a random stream is ", saved.ToString());
  }
  const auto words = saved.data<uint32_t>();
  std::copy(words.begin(), words.end(), state.begin());
  MutexLock lock(mutex_);
  generator_.set_state(state);
}

}  // namespace plumb::fast
