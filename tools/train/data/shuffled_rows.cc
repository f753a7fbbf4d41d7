#include "tools/train/data/shuffled_rows.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace plumb::tools {

ShuffledRows::ShuffledRows(int64_t rows, int64_t batch, uint64_t seed)
    : batch_(batch), state_(seed), order_(static_cast<size_t>(rows)) {
  Require(batch >= 1 && batch <= rows, "a batch of ", batch, " cannot be drawn from ", rows, " images");
  std::iota(order_.begin(), order_.end(), int64_t{0});
  Shuffle();
}

void ShuffledRows::Shuffle() {
  for (size_t i = order_.size(); i > 1; --i) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    std::swap(order_[i - 1], order_[(state_ >> 33) % i]);
  }
  position_ = 0;
}

std::span<const int64_t> ShuffledRows::Next() {
  if (position_ + batch_ > size()) Shuffle();
  const std::span<const int64_t> rows(order_.data() + position_, static_cast<size_t>(batch_));
  position_ += batch_;
  return rows;
}

void ShuffledRows::Save(const StateWriter& writer) const {
  writer.PutScalar("shuffles", static_cast<int64_t>(state_));
  writer.PutScalar("position", position_);
  Tensor order(DType::kInt64, Shape{size()});
  std::copy(order_.begin(), order_.end(), order.mutable_data<int64_t>().begin());
  writer.Put("order", std::move(order));
}

void ShuffledRows::Restore(const StateReader& reader) {
  const Tensor& order = reader.Get("order");
  const bool is_of_these = order.dtype() == DType::kInt64 && order.elements() == size();
  if (!is_of_these) {
    throw FailedPrecondition("the checkpoint was trained on another number of images than the ", size(),
                             " that there are: give the folder that it was trained on by --data");
  }
  const auto position = reader.GetScalar<int64_t>("position");
  const auto is_no_place = [this](int64_t place) { return place < 0 || place >= size(); };
  const bool is_damaged = position < 0 || position > size() ||
                          std::any_of(order.data<int64_t>().begin(), order.data<int64_t>().end(), is_no_place);
  if (is_damaged) throw DataLoss("the checkpoint names images that are not there: it is damaged");
  std::copy(order.data<int64_t>().begin(), order.data<int64_t>().end(), order_.begin());
  state_ = static_cast<uint64_t>(reader.GetScalar<int64_t>("shuffles"));
  position_ = position;
}

}  // namespace plumb::tools
