#include "fastpath/cpu/lib/elementwise/broadcast.h"

namespace plumb::fast::cpu {
namespace {

int64_t DimFromRight(const Shape& shape, int place) {
  return place < shape.rank() ? shape[shape.rank() - 1 - place] : 1;
}

struct Axis {
  int64_t size, x_stride, y_stride;
};

// Appends the next axis to the left of those that `axes` holds (innermost first), or widens the last of them.
void AddAxis(Axis axis, Axis* axes, int& rank) {
  if (axis.size == 1) return;
  Axis* last = rank > 0 ? &axes[rank - 1] : nullptr;
  if (last != nullptr && axis.x_stride == last->x_stride * last->size && axis.y_stride == last->y_stride * last->size) {
    last->size *= axis.size;
    return;
  }
  axes[rank++] = axis;
}

}  // namespace

bool MakeBroadcastPlan(const Shape& x, const Shape& y, BroadcastPlan& plan) {
  const int rank = std::max(x.rank(), y.rank());
  int64_t result[kMaxRank];
  Axis axes[kMaxRank];
  int loops = 0;
  int64_t x_step = 1, y_step = 1;
  for (int place = 0; place < rank; ++place) {
    const int64_t a = DimFromRight(x, place), b = DimFromRight(y, place);
    if (a != b && a != 1 && b != 1) return false;
    const int64_t size = a == 1 ? b : a;
    result[rank - 1 - place] = size;
    AddAxis({size, a == 1 ? 0 : x_step, b == 1 ? 0 : y_step}, axes, loops);
    x_step *= a;
    y_step *= b;
  }
  if (loops == 0) axes[loops++] = {1, 1, 1};
  plan.result = Shape(std::span<const int64_t>(result, static_cast<size_t>(rank)));
  plan.rank = loops;
  for (int i = 0; i < loops; ++i) {
    const Axis& axis = axes[loops - 1 - i];
    plan.size[i] = axis.size;
    plan.x_stride[i] = axis.x_stride;
    plan.y_stride[i] = axis.y_stride;
  }
  return true;
}

RowCursor::RowCursor(const BroadcastPlan& plan, int64_t row) : plan_(plan) {
  for (int axis = plan.rank - 2; axis >= 0; --axis) {
    index_[axis] = row % plan.size[axis];
    row /= plan.size[axis];
    x_ += index_[axis] * plan.x_stride[axis];
    y_ += index_[axis] * plan.y_stride[axis];
  }
}

void RowCursor::Next() {
  for (int axis = plan_.rank - 2; axis >= 0; --axis) {
    x_ += plan_.x_stride[axis];
    y_ += plan_.y_stride[axis];
    if (++index_[axis] < plan_.size[axis]) return;
    index_[axis] = 0;
    x_ -= plan_.x_stride[axis] * plan_.size[axis];
    y_ -= plan_.y_stride[axis] * plan_.size[axis];
  }
}

}  // namespace plumb::fast::cpu
