#include "fastpath/cpu/lib/state/lookup_table_rows.h"

#include <algorithm>

#include "fastpath/cpu/lib/words.h"

namespace plumb::fast::cpu {
namespace {

// Moves rows between addresses that functions of their number give.
template <class From, class To>
void CopyRowsOneByOne(int64_t width, size_t count, const From& from, const To& to) {
  if (width == 1) {
    for (size_t i = 0; i < count; ++i) *to(i) = *from(i);
  } else {
    for (size_t i = 0; i < count; ++i) std::copy_n(from(i), width, to(i));
  }
}

}  // namespace

void GatherRows(const RowSource& from, int64_t width, std::span<const int64_t> rows, int64_t first, Tensor& to) {
  VisitStorage(to.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    const T* const column = static_cast<const T*>(from.column.raw());
    const T* const standard = static_cast<const T*>(from.standard.raw());
    T* const values = static_cast<T*>(to.mutable_raw()) + first * width;
    const auto address = [&](size_t i) {
      if (rows[i] != kNoRow) return column + rows[i] * width;
      return standard + (from.has_standard_for_each ? (first + static_cast<int64_t>(i)) * width : 0);
    };
    CopyRowsOneByOne(width, rows.size(), address, [&](size_t i) { return values + static_cast<int64_t>(i) * width; });
  });
}

void ScatterRows(const Tensor& from, int64_t width, int64_t first, std::span<const int64_t> rows, Tensor& to) {
  VisitStorage(to.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    const T* const values = static_cast<const T*>(from.raw()) + first * width;
    T* const column = static_cast<T*>(to.mutable_raw());
    CopyRowsOneByOne(
        width, rows.size(), [&](size_t i) { return values + static_cast<int64_t>(i) * width; },
        [&](size_t i) { return column + rows[i] * width; });
  });
}

void MoveRows(Tensor& from, int64_t width, std::span<const int64_t> rows, Tensor& to) noexcept {
  VisitStorage(to.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    T* const old = static_cast<T*>(from.mutable_raw());
    T* const values = static_cast<T*>(to.mutable_raw());
    for (size_t i = 0; i < rows.size(); ++i) {
      const auto at = static_cast<int64_t>(i) * width;
      std::move(old + rows[i] * width, old + (rows[i] + 1) * width, values + at);
    }
  });
}

}  // namespace plumb::fast::cpu
