#include "fastpath/cpu/lib/strided_copy.h"

#include <cstring>

#include "fastpath/cpu/lib/line_copy.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/words.h"
#include "fastpath/memory/queued_inside.h"

namespace plumb::fast::cpu {
namespace {

// Where the outer loops of a plan stand: all axes but those given as inner.
class Cursor {
 public:
  Cursor(const CopyPlan& plan, int axes, int64_t row) : plan_(plan), axes_(axes) {
    for (int axis = axes - 1; axis >= 0; --axis) {
      index_[axis] = row % plan.size[axis];
      row /= plan.size[axis];
      from_ += index_[axis] * plan.from[axis];
      to_ += index_[axis] * plan.to[axis];
    }
  }
  int64_t from() const { return from_; }
  int64_t to() const { return to_; }
  void Next() {
    for (int axis = axes_ - 1; axis >= 0; --axis) {
      from_ += plan_.from[axis];
      to_ += plan_.to[axis];
      if (++index_[axis] < plan_.size[axis]) return;
      index_[axis] = 0;
      from_ -= plan_.from[axis] * plan_.size[axis];
      to_ -= plan_.to[axis] * plan_.size[axis];
    }
  }

 private:
  const CopyPlan& plan_;
  int axes_;
  int64_t from_ = 0;
  int64_t to_ = 0;
  int64_t index_[kMaxRank + 1];
};

int64_t Product(const int64_t* size, int count) {
  uint64_t product = 1;
  for (int i = 0; i < count; ++i) product *= static_cast<uint64_t>(size[i]);
  return static_cast<int64_t>(product);
}

constinit ChoicePoint lines_cut("strided copy: lines whole, or cut");
constinit ChoicePoint long_lines("strided copy: lines of a few bytes, or longer ones");
constinit ChoicePoint many_tiles("transposing copy: one tile, or several");
constinit ChoicePoint whole_fours_down("transposing copy of words: rows left over, or all in fours");
constinit ChoicePoint whole_fours_across("transposing copy of words: columns left over, or all in fours");

template <class T>
void CopyLines(ThreadPool& pool, const CopyPlan& plan, const T* from, T* to) {
  const int inner = plan.rank - 1;
  const int64_t n = plan.size[inner], grain = GrainFor(1);
  const int64_t pieces = (n + grain - 1) / grain, piece = (n + pieces - 1) / pieces;
  lines_cut.Chosen(pieces > 1);
  pool.ParallelFor(Product(plan.size, inner) * pieces, std::max<int64_t>(1, grain / piece),
                   [&](int64_t begin, int64_t end) {
                     Cursor cursor(plan, inner, begin / pieces);
                     for (int64_t i = begin; i < end; ++i) {
                       const int64_t start = i % pieces * piece, count = std::min(piece, n - start);
                       if (count > 0) {
                         CopyLine(from + cursor.from() + start * plan.from[inner], plan.from[inner],
                                  to + cursor.to() + start * plan.to[inner], plan.to[inner], count);
                       }
                       if ((i + 1) % pieces == 0) cursor.Next();
                     }
                   });
}

// Lines of consecutive elements on both sides, so short that a call for each costs more than its bytes.
template <class T>
bool HasShortLines(const CopyPlan& plan) {
  const int inner = plan.rank - 1;
  if constexpr (!std::is_trivially_copyable_v<T>) return false;
  if (inner < 1 || plan.from[inner] != 1 || plan.to[inner] != 1) return false;
  return !long_lines.Chosen(plan.size[inner] * static_cast<int64_t>(sizeof(T)) > kShortLine);
}

template <class T>
void CopyShortLines(ThreadPool& pool, const CopyPlan& plan, const T* from, T* to) {
  const int inner = plan.rank - 1, across = inner - 1;
  const size_t bytes = static_cast<size_t>(plan.size[inner]) * sizeof(T);
  const auto size = static_cast<int64_t>(sizeof(T));
  const ShortLines copy = ShortLinesOf(bytes);
  pool.ParallelFor(Product(plan.size, inner), GrainFor(4 + plan.size[inner]), [&](int64_t begin, int64_t end) {
    Cursor cursor(plan, across, begin / plan.size[across]);
    for (int64_t line = begin; line < end; cursor.Next()) {
      const int64_t first = line % plan.size[across], count = std::min(plan.size[across] - first, end - line);
      copy(reinterpret_cast<const char*>(from + cursor.from() + first * plan.from[across]), plan.from[across] * size,
           reinterpret_cast<char*>(to + cursor.to() + first * plan.to[across]), plan.to[across] * size, count, bytes);
      line += count;
    }
  });
}

// Four rows of four words become columns, in registers.
void TransposeFour(const uint32_t* from, int64_t from_stride, uint32_t* to, int64_t to_stride) {
  typedef uint32_t Four __attribute__((vector_size(16)));
  Four row[4];
  for (int i = 0; i < 4; ++i) std::memcpy(&row[i], from + i * from_stride, sizeof(Four));
  const Four low01 = __builtin_shufflevector(row[0], row[1], 0, 4, 1, 5);
  const Four low23 = __builtin_shufflevector(row[2], row[3], 0, 4, 1, 5);
  const Four high01 = __builtin_shufflevector(row[0], row[1], 2, 6, 3, 7);
  const Four high23 = __builtin_shufflevector(row[2], row[3], 2, 6, 3, 7);
  const Four column[4] = {
      __builtin_shufflevector(low01, low23, 0, 1, 4, 5), __builtin_shufflevector(low01, low23, 2, 3, 6, 7),
      __builtin_shufflevector(high01, high23, 0, 1, 4, 5), __builtin_shufflevector(high01, high23, 2, 3, 6, 7)};
  for (int i = 0; i < 4; ++i) std::memcpy(to + i * to_stride, &column[i], sizeof(Four));
}

// A matrix whose rows are consecutive at the source and whose columns are consecutive at the target, tile by tile, so
// that both sides stay in the cache.
template <class T>
void TransposeTile(const T* from, int64_t from_stride, T* to, int64_t to_stride, int64_t rows, int64_t columns) {
  int64_t row = 0;
  if constexpr (std::is_same_v<T, uint32_t>) {
    const int64_t quads = columns / 4 * 4;
    for (; row + 4 <= rows; row += 4) {
      for (int64_t column = 0; column < quads; column += 4) {
        TransposeFour(from + column * from_stride + row, from_stride, to + row * to_stride + column, to_stride);
      }
      for (int64_t column = quads; column < columns; ++column) {
        for (int64_t i = row; i < row + 4; ++i) to[i * to_stride + column] = from[column * from_stride + i];
      }
    }
  }
  for (; row < rows; ++row) {
    for (int64_t column = 0; column < columns; ++column) {
      to[row * to_stride + column] = from[column * from_stride + row];
    }
  }
}

// `across` is the axis with source stride 1; the innermost axis has target stride 1.
template <class T>
void CopyTransposed(ThreadPool& pool, const CopyPlan& plan, int across, const T* from, T* to) {
  constexpr int64_t kTile = sizeof(T) <= 4 ? 32 : 16;
  const int inner = plan.rank - 1;
  CopyPlan outer;
  for (int axis = 0; axis < inner; ++axis) {
    if (axis != across) outer.Append(plan.size[axis], plan.from[axis], plan.to[axis]);
  }
  const int64_t rows = plan.size[across], columns = plan.size[inner];
  const int64_t bands = (rows + kTile - 1) / kTile;
  many_tiles.Chosen(bands > 1 && columns > kTile);
  if constexpr (std::is_same_v<T, uint32_t>) {
    whole_fours_down.Chosen(rows % 4 == 0);
    whole_fours_across.Chosen(columns % 4 == 0);
  }
  pool.ParallelFor(Product(outer.size, outer.rank) * bands, GrainFor(2 * kTile * columns),
                   [&](int64_t begin, int64_t end) {
                     Cursor cursor(outer, outer.rank, begin / bands);
                     for (int64_t i = begin; i < end; ++i) {
                       const int64_t row = i % bands * kTile;
                       for (int64_t column = 0; column < columns; column += kTile) {
                         TransposeTile(from + cursor.from() + row + column * plan.from[inner], plan.from[inner],
                                       to + cursor.to() + row * plan.to[across] + column, plan.to[across],
                                       std::min(kTile, rows - row), std::min(kTile, columns - column));
                       }
                       if ((i + 1) % bands == 0) cursor.Next();
                     }
                   });
}

int AxisWithSourceStrideOne(const CopyPlan& plan) {
  for (int axis = plan.rank - 2; axis >= 0; --axis) {
    if (plan.from[axis] == 1) return axis;
  }
  return -1;
}

}  // namespace

void CopyPlan::Append(int64_t n, int64_t from_stride, int64_t to_stride) {
  if (n == 1) return;
  if (rank > 0 && from[rank - 1] == from_stride * n && to[rank - 1] == to_stride * n) {
    size[rank - 1] *= n;
    from[rank - 1] = from_stride;
    to[rank - 1] = to_stride;
    return;
  }
  size[rank] = n;
  from[rank] = from_stride;
  to[rank] = to_stride;
  ++rank;
}

int64_t CopyPlan::elements() const { return Product(size, rank); }

void CopyStrided(ThreadPool& pool, DType type, const CopyPlan& plan, const void* from, void* to) {
  if (plan.elements() == 0) return;
  VisitStorage(type, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    const T* source = static_cast<const T*>(from);
    T* target = static_cast<T*>(to);
    if (plan.rank == 0) {
      *target = *source;
      return;
    }
    const int inner = plan.rank - 1, across = AxisWithSourceStrideOne(plan);
    if (across >= 0 && plan.from[inner] != 1 && plan.to[inner] == 1) {
      CopyTransposed(pool, plan, across, source, target);
    } else if (HasShortLines<T>(plan)) {
      CopyShortLines(pool, plan, source, target);
    } else {
      CopyLines(pool, plan, source, target);
    }
  });
}

const void* At(const void* base, DType type, int64_t offset) {
  if (base == nullptr) return nullptr;
  const void* address = nullptr;
  VisitStorage(type, [&](auto tag) { address = static_cast<const typename decltype(tag)::Type*>(base) + offset; });
  return address;
}
void* At(void* base, DType type, int64_t offset) {
  return const_cast<void*>(At(static_cast<const void*>(base), type, offset));
}

void CopyRun(DType type, const void* from, int64_t from_offset, void* to, int64_t to_offset, int64_t count) {
  const size_t size = ElementSize(type);
  if (size > 0) {
    if (count == 0) return;
    std::memcpy(static_cast<char*>(to) + static_cast<size_t>(to_offset) * size,
                static_cast<const char*>(from) + static_cast<size_t>(from_offset) * size,
                static_cast<size_t>(count) * size);
    return;
  }
  VisitStorage(type, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    std::copy_n(static_cast<const T*>(from) + from_offset, count, static_cast<T*>(to) + to_offset);
  });
}

void FillZero(ThreadPool& pool, Tensor& tensor) {
  if (tensor.mutable_raw() == nullptr) return;
  const size_t size = ElementSize(tensor.dtype());
  if (size == 0) {
    VisitStorage(tensor.dtype(), [&](auto tag) {
      using T = typename decltype(tag)::Type;
      std::fill_n(static_cast<T*>(tensor.mutable_raw()), tensor.elements(), T());
    });
    return;
  }
  if (const QueuedInside* const inside = QueuedInside::Current(); inside != nullptr && inside->IsHere(tensor)) {
    return inside->Clear(tensor);
  }
  char* bytes = static_cast<char*>(tensor.mutable_raw());
  pool.ParallelFor(static_cast<int64_t>(tensor.bytes()), 1 << 20, [bytes](int64_t begin, int64_t end) {
    std::memset(bytes + begin, 0, static_cast<size_t>(end - begin));
  });
}

Tensor AllocateZeros(ThreadPool& pool, DType type, const Shape& shape) {
  Tensor zeros = Allocate(type, shape);
  FillZero(pool, zeros);
  return zeros;
}

void CopyRows(ThreadPool& pool, DType type, RowBlock block, const void* from, int64_t from_row, void* to,
              int64_t to_row) {
  CopyPlan plan;
  plan.Append(block.rows, from_row, to_row);
  plan.Append(block.run, 1, 1);
  CopyStrided(pool, type, plan, from, to);
}

void FillWith(ThreadPool& pool, const void* value, Tensor& output) {
  CopyPlan plan;
  plan.Append(output.elements(), 0, 1);
  CopyStrided(pool, output.dtype(), plan, value, output.mutable_raw());
}

}  // namespace plumb::fast::cpu
