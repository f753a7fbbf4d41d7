#include "reference/state/accumulator.h"

#include <iterator>

namespace plumb::reference {
namespace {

Tensor VectorOf(const std::vector<int64_t>& numbers) {
  return MakeTensor<int64_t>({std::ssize(numbers)}, std::span<const int64_t>(numbers));
}

}  // namespace

void Accumulator::Update(Value sum, std::vector<int64_t> indices, std::vector<int64_t> row_counts) {
  sum_ = std::move(sum);
  indices_ = std::move(indices);
  row_counts_ = std::move(row_counts);
  ++count_;
  Serve();
}

// C2.
std::optional<LineAnswer> Accumulator::TryServe(const GradientsWanted& wanted) {
  if (count_ < wanted) return std::nullopt;
  ++global_step_;
  const int64_t count = std::exchange(count_, 0);
  return LineAnswer{OkStatus(),
                    {std::exchange(sum_, Value()), MakeScalar(count), VectorOf(indices_), VectorOf(row_counts_)}};
}

std::string Accumulator::Describe(const GradientsWanted& wanted) const {
  return Str("accumulator '", name, "': ", wanted, wanted == 1 ? " gradient" : " gradients", " wanted, ", count_,
             " there");
}

void Accumulator::Save(const StateWriter& writer) const {
  writer.PutScalar<int32_t>("dtype", static_cast<int32_t>(dtype));
  SaveShape(writer, "shape", shape);
  writer.PutScalar<bool>("is_sparse", is_sparse);
  writer.PutScalar<bool>("is_mean", is_mean);
  writer.PutScalar<int64_t>("global_step", global_step_);
  writer.PutScalar<int64_t>("count", count_);
  if (count_ == 0) return;
  SaveValue(writer.Under("sum"), sum_);
  writer.Put("indices", VectorOf(indices_));
  writer.Put("row_counts", VectorOf(row_counts_));
}

void Accumulator::Restore(const StateReader& reader) {
  dtype = static_cast<DType>(reader.GetScalar<int32_t>("dtype"));
  shape = RestoredShape(reader, "shape");
  is_sparse = reader.GetScalar<bool>("is_sparse");
  is_mean = reader.GetScalar<bool>("is_mean");
  global_step_ = reader.GetScalar<int64_t>("global_step");
  count_ = reader.GetScalar<int64_t>("count");
  if (count_ == 0) return;
  sum_ = RestoredValue(reader.Under("sum"));
  indices_ = ToInt64s(reader.Get("indices"));
  row_counts_ = ToInt64s(reader.Get("row_counts"));
  const int64_t rows = is_sparse && sum_.tensor.rank() > 0 ? sum_.tensor.dim(0) : 0;
  if (sum_.tensor.dtype() != dtype || (is_sparse && sum_.tensor.rank() == 0) || std::ssize(indices_) != rows ||
      std::ssize(row_counts_) != rows) {
    throw DataLoss("the saved state of an accumulator has the sum ", sum_.tensor.ToString(), " with ", indices_.size(),
                   " indices");
  }
}

}  // namespace plumb::reference
