#include "fastpath/gpu/lib/grid.h"
#include "fastpath/gpu/lib/rows/changed_rows.h"
#include "fastpath/gpu/lib/words.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// A whole number that is divided by zero is refused beforehand.
template <class V>
PLUMB_GPU_INLINE V Quotient(V old, V change) {
  Complaint none = kNone;
  return QuotientOf(old, change, none);
}

template <Scatter scatter, class V>
PLUMB_GPU_INLINE V Changed(V old, V change) {
  if constexpr (scatter == Scatter::kAdd) {
    return Add(old, change);
  } else if constexpr (scatter == Scatter::kSubtract) {
    return Sub(old, change);
  } else if constexpr (scatter == Scatter::kMultiply) {
    return Mul(old, change);
  } else if constexpr (scatter == Scatter::kDivide) {
    return Quotient(old, change);
  } else if constexpr (scatter == Scatter::kMin) {
    return change < old ? change : old;
  } else {
    return change > old ? change : old;
  }
}

// A thread for each element of the updates, of which those of a slice's first update make all its changes: neighbours
// read and write neighbours. `one`: how many words a number has that stands for all updates; 0 for updates of their
// own.
template <Scatter scatter, class T>
PLUMB_GPU_KERNEL ChangeLoop(RowUpdates to, Global<const T> updates, Global<T> target, int64_t width, int64_t one) {
  if (to.IsRefused()) return;
  for (int64_t i = First(); i < to.places.size * width; i += Stride()) {
    const int64_t update = i / width, column = i % width;
    if (!to.IsFirst(update)) continue;
    const int64_t place = to.places[update], begin = to.begins[place], end = begin + to.counts[place];
    T value = target[place * width + column];
    for (int64_t k = begin; k < end; ++k) {
      const T change = updates[one > 0 ? column % one : to.rows[k] * width + column];
      value = Computed<T>::Store(Changed<scatter>(Computed<T>::Load(value), Computed<T>::Load(change)));
    }
    target[place * width + column] = value;
  }
}

// The last update of a slice stays.
template <class T>
PLUMB_GPU_KERNEL ReplaceLoop(RowUpdates to, Global<const T> updates, Global<T> target, int64_t width, bool is_one) {
  if (to.IsRefused()) return;
  for (int64_t i = First(); i < to.places.size * width; i += Stride()) {
    const int64_t update = i / width, column = i % width;
    if (!to.IsFirst(update)) continue;
    const int64_t place = to.places[update], last = to.rows[to.begins[place] + to.counts[place] - 1];
    target[place * width + column] = updates[is_one ? 0 : last * width + column];
  }
}

// One block, which makes the updates one after the other; each is copied first, for it may be what is changed.
template <Scatter scatter, class T>
PLUMB_GPU_KERNEL OwnLoop(RowUpdates to, Global<T> updates, Global<T> copy, Global<T> target, int64_t width,
                         int64_t one) {
  if (to.IsRefused()) return;
  for (int64_t update = 0; update < to.places.size; ++update) {
    for (int64_t i = ThreadNumber(); i < width; i += Threads()) {
      copy[i] = updates[one > 0 ? i % one : update * width + i];
    }
    SyncBlock();
    for (int64_t i = ThreadNumber(); i < width; i += Threads()) {
      const int64_t at = to.places[update] * width + i;
      if constexpr (scatter == Scatter::kReplace) {
        target[at] = copy[i];
      } else {
        const auto value = Changed<scatter>(Computed<T>::Load(target[at]), Computed<T>::Load(copy[i]));
        target[at] = Computed<T>::Store(value);
      }
    }
    SyncBlock();
  }
}

// What a launch is given. Complex numbers are two words each.
struct Change {
  RowUpdates rows;
  int64_t width = 0, words = 1;
  bool is_one = false, is_own = false;
};

template <Scatter scatter, class T>
void LaunchOwn(GpuContext& context, const Change& change, const Tensor& updates, Tensor& target) {
  const int64_t width = change.width * change.words;
  const Global<T> to(static_cast<T*>(target.mutable_raw()), target.elements() * change.words);
  const int64_t first = static_cast<const T*>(updates.raw()) - to.data;
  Tensor copy = context.Scratch(DType::kUint8, Shape({width * static_cast<int64_t>(sizeof(T))}));
  Launch(context.stream(), GridSize{1, 256, true}, OwnLoop<scatter, T>, change.rows,
         to.From(first, updates.elements() * change.words), Global<T>(static_cast<T*>(copy.mutable_raw()), width), to,
         width, change.is_one ? change.words : 0);
}

template <Scatter scatter, class T>
void LaunchChange(GpuContext& context, const Change& change, const Tensor& updates, Tensor& target) {
  if (change.is_own) return LaunchOwn<scatter, T>(context, change, updates, target);
  const int64_t width = change.width * change.words;
  const Global<const T> from(static_cast<const T*>(updates.raw()), updates.elements() * change.words);
  const Global<T> to(static_cast<T*>(target.mutable_raw()), target.elements() * change.words);
  Launch(context.stream(), LoopOver(change.rows.places.size * width), ChangeLoop<scatter, T>, change.rows, from, to,
         width, change.is_one ? change.words : 0);
}

template <Scatter scatter>
void LaunchByType(GpuContext& context, Change change, const Tensor& updates, Tensor& target) {
  if constexpr (scatter == Scatter::kAdd || scatter == Scatter::kSubtract) {
    if (IsComplex(target.dtype())) change.words = 2;
    if (target.dtype() == DType::kComplex64) return LaunchChange<scatter, float>(context, change, updates, target);
    if (target.dtype() == DType::kComplex128) return LaunchChange<scatter, double>(context, change, updates, target);
  }
  ForType(context.node(), target.dtype(), Reals(), [&](auto tag) {
    LaunchChange<scatter, typename decltype(tag)::Type>(context, change, updates, target);
    return true;
  });
}

void Replace(GpuContext& context, const Change& change, const Tensor& updates, Tensor& target) {
  ForSizeOf(context.node(), target.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    if (change.is_own) return LaunchOwn<Scatter::kReplace, T>(context, change, updates, target);
    Launch(context.stream(), LoopOver(change.rows.places.size * change.width), ReplaceLoop<T>, change.rows,
           context.ViewOf<T>(updates), context.ViewOf<T>(target), change.width, change.is_one);
  });
}

void LaunchFor(GpuContext& context, Scatter scatter, const Change& change, const Tensor& updates, Tensor& target) {
  switch (scatter) {
    case Scatter::kReplace:
      return Replace(context, change, updates, target);
    case Scatter::kAdd:
      return LaunchByType<Scatter::kAdd>(context, change, updates, target);
    case Scatter::kSubtract:
      return LaunchByType<Scatter::kSubtract>(context, change, updates, target);
    case Scatter::kMultiply:
      return LaunchByType<Scatter::kMultiply>(context, change, updates, target);
    case Scatter::kDivide:
      return LaunchByType<Scatter::kDivide>(context, change, updates, target);
    case Scatter::kMin:
      return LaunchByType<Scatter::kMin>(context, change, updates, target);
    case Scatter::kMax:
      return LaunchByType<Scatter::kMax>(context, change, updates, target);
  }
}

}  // namespace

void ChangeRows(GpuContext& context, Scatter scatter, const NamedRows& rows, int64_t width, const Tensor& updates,
                Tensor& target) {
  LaunchFor(context, scatter, {rows.View(context), width, 1, updates.rank() == 0, false}, updates, target);
}

bool LiesWithin(const Tensor& part, const Tensor& whole) {
  const auto* const begin = static_cast<const char*>(whole.raw());
  const auto* const at = static_cast<const char*>(part.raw());
  return !std::less<>()(at, begin) && std::less<>()(at, begin + whole.bytes());
}

void ChangeRowsByOwn(GpuContext& context, Scatter scatter, const NamedRows& rows, int64_t width, const Tensor& updates,
                     Tensor& target) {
  LaunchFor(context, scatter, {rows.View(context), width, 1, updates.rank() == 0, true}, updates, target);
}

}  // namespace plumb::fast::GPU_NAMESPACE
