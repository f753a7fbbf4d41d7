#include "fastpath/device/variant_transfer.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <utility>

#include "fastpath/device/caught.h"
#include "spec/core/thread_annotations.h"
#include "spec/core/variant_codec.h"

namespace plumb::fast {
namespace {

// The variants with what `replace` gives in the place of each tensor of numbers, in the order in which Copy comes to
// them.
template <class Replace>
Tensor WithNumbers(const Tensor& variants, const Replace& replace) {
  return CopyVariants(variants, [&](const Tensor& part) {
    if (part.dtype() == DType::kVariant) return WithNumbers(part, replace);
    return part.IsSet() && IsPlain(part.dtype()) ? replace(part) : part;
  });
}

std::vector<Tensor> NumbersIn(const Tensor& variants) {
  std::vector<Tensor> numbers;
  WithNumbers(variants, [&](const Tensor& part) {
    numbers.push_back(part);
    return part;
  });
  return numbers;
}

// The copies of one transfer, which come in any order, on any thread. The last one makes the value once all have begun.
class Arrivals {
 public:
  Arrivals(Tensor variants, size_t parts, Device::CopyDone done)
      : variants_(std::move(variants)), done_(std::move(done)), copies_(parts), left_(parts + 1) {}

  void Arrive(size_t part, const Status& status, Tensor copy) {
    if (status.ok()) {
      copies_[part] = std::move(copy);
    } else {
      MutexLock lock(mutex_);
      if (failed_.ok()) failed_ = status;
    }
    Leave();
  }
  // Called once for each copy, and once when all have begun.
  void Leave() {
    if (left_.fetch_sub(1, std::memory_order_acq_rel) == 1) Finish();
  }

 private:
  void Finish() {
    Status status = Failure();
    Tensor arrived;
    if (status.ok()) {
      try {
        size_t next = 0;
        arrived = WithNumbers(variants_, [&](const Tensor&) { return std::move(copies_[next++]); });
      } catch (const std::exception&) {
        status = CaughtStatus();
      }
    }
    done_(status, std::move(arrived));
  }
  Status Failure() {
    MutexLock lock(mutex_);
    return failed_;
  }

  const Tensor variants_;
  const Device::CopyDone done_;
  std::vector<Tensor> copies_;
  std::atomic<size_t> left_;
  Mutex mutex_;
  Status failed_ PLUMB_GUARDED_BY(mutex_);
};

}  // namespace

bool HandlesVariants(std::span<const DType> input_types, std::span<const DType> output_types) {
  const auto is_variant = [](DType type) { return Base(type) == DType::kVariant; };
  return std::any_of(input_types.begin(), input_types.end(), is_variant) ||
         std::any_of(output_types.begin(), output_types.end(), is_variant);
}
bool HandlesVariants(const Node& node) { return HandlesVariants(node.input_types, node.output_types); }

// A copy that cannot begin counts as one that failed: those that have begun answer all the same.
void TransferVariants(Device* from, Device& to, bool to_host, int64_t step_id, Tensor variants, Device::CopyDone done) {
  std::vector<Tensor> numbers = NumbersIn(variants);
  const bool stays_on_host = to_host || to.memory() == nullptr;
  const bool are_there = std::all_of(numbers.begin(), numbers.end(), [&](const Tensor& part) {
    return IsOnHost(part) ? stays_on_host : !stays_on_host && from == &to;
  });
  if (are_there) return done(OkStatus(), std::move(variants));
  const auto arrivals = std::make_shared<Arrivals>(std::move(variants), numbers.size(), std::move(done));
  for (size_t i = 0; i < numbers.size(); ++i) {
    const auto arrive = [arrivals, i](const Status& status, Tensor copy) {
      arrivals->Arrive(i, status, std::move(copy));
    };
    try {
      Transfer(from, to, to_host, step_id, std::move(numbers[i]), arrive);
    } catch (const std::exception&) {
      arrive(CaughtStatus(), Tensor());
    }
  }
  arrivals->Leave();
}

}  // namespace plumb::fast
