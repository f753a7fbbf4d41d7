#include "fastpath/gpu/lib/tiled_copy.h"
#include "fastpath/gpu/lib/types.h"
#include "spec/core/choice_point.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

constexpr int kSide = 32;   // of a tile: what a warp reads and writes
constexpr int kPitch = 33;  // between its columns: a warp finds a row of it in as many banks as a column
constexpr int kThreads = 256;
constexpr int kAtOnce = kThreads / kSide;
constexpr int64_t kLeastSide = 16;  // of what is worth tiles

constinit ChoicePoint copies_by_tiles("copies on GPUs: along the result, or by tiles");

// The axis along which operand `which` is walked in steps of 1; -1: none.
int AxisAlong(const Walk& walk, int which) {
  for (int axis = 0; axis < walk.rank; ++axis) {
    if (walk.stride[which][axis] == 1 && walk.size[axis] > 1) return axis;
  }
  return -1;
}

// Sheets of `rows` times `columns` elements: neighbours in a row are neighbours in the result, neighbours in a column
// are neighbours in what is copied.
struct Sheets {
  int64_t rows = 0, columns = 0;
  int64_t from_step = 0, to_step = 0;  // from a column to the next one in what is copied, from a row in the result
  int64_t row_tiles = 0, column_tiles = 0, count = 1;
  Walk others;  // from sheet to sheet
};

template <class T>
PLUMB_GPU_KERNEL CopyTiles(Global<const T> from, int64_t from_first, Global<T> to, int64_t to_first, Sheets sheets) {
  PLUMB_GPU_SHARED(T, tile, kSide * kPitch);
  const int64_t tiles = sheets.row_tiles * sheets.column_tiles;
  const int64_t sheet = BlockNumber() / tiles, in_sheet = BlockNumber() - sheet * tiles;
  const int64_t row_tile = in_sheet / sheets.column_tiles;
  const int64_t row = row_tile * kSide, column = (in_sheet - row_tile * sheets.column_tiles) * kSide;
  const WalkPlaces places = sheets.others.BothAt(sheet);
  const int along = ThreadNumber() % kSide, across = ThreadNumber() / kSide;
  if (row + along < sheets.rows) {
    const int64_t place = from_first + places.first + row + along;
    PLUMB_GPU_UNROLL
    for (int k = across; k < kSide; k += kAtOnce) {
      if (column + k < sheets.columns) tile[k * kPitch + along] = from[place + (column + k) * sheets.from_step];
    }
  }
  SyncBlock();
  if (column + along >= sheets.columns) return;
  const int64_t place = to_first + places.second + column + along;
  PLUMB_GPU_UNROLL
  for (int k = across; k < kSide; k += kAtOnce) {
    if (row + k < sheets.rows) to[place + (row + k) * sheets.to_step] = tile[along * kPitch + k];
  }
}

Sheets SheetsOf(const Walk& walk, int rows_axis, int columns_axis) {
  Sheets sheets;
  sheets.rows = walk.size[rows_axis];
  sheets.columns = walk.size[columns_axis];
  sheets.from_step = walk.stride[0][columns_axis];
  sheets.to_step = walk.stride[1][rows_axis];
  sheets.row_tiles = (sheets.rows + kSide - 1) / kSide;
  sheets.column_tiles = (sheets.columns + kSide - 1) / kSide;
  for (int axis = 0; axis < walk.rank; ++axis) {
    if (axis == rows_axis || axis == columns_axis) continue;
    AddAxis(sheets.others, walk.size[axis], walk.stride[0][axis], walk.stride[1][axis]);
    sheets.count *= walk.size[axis];
  }
  return sheets;
}

}  // namespace

bool CopyByTiles(GpuContext& context, const Walk& walk, const Tensor& from, int64_t from_first, Tensor& to,
                 int64_t to_first) {
  const int rows_axis = AxisAlong(walk, 0), columns_axis = AxisAlong(walk, 1);
  if (rows_axis < 0 || columns_axis < 0 || rows_axis == columns_axis) return false;
  if (!copies_by_tiles.Chosen(walk.size[rows_axis] >= kLeastSide && walk.size[columns_axis] >= kLeastSide))
    return false;
  const Sheets sheets = SheetsOf(walk, rows_axis, columns_axis);
  ForSizeOf(context.node(), from.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    const Global<const T> source(static_cast<const T*>(from.raw()), from.elements());
    const Global<T> target(static_cast<T*>(to.mutable_raw()), to.elements());
    const GridSize grid{sheets.count * sheets.row_tiles * sheets.column_tiles, kThreads, true};
    Launch(context.stream(), grid, CopyTiles<T>, source, from_first, target, to_first, sheets);
  });
  return true;
}

}  // namespace plumb::fast::GPU_NAMESPACE
