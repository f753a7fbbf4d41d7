#include "fastpath/cpu/lib/state/accumulator.h"

#include <algorithm>

#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/cpu/lib/strided_copy.h"
#include "fastpath/cpu/lib/types.h"

namespace plumb::fast::cpu {
namespace {

using GradientTypes = Types<float, double, Half>;

template <class F>
void ForGradientType(DType type, const F& f) {
  VisitOneOf(GradientTypes(), type, false, [&](auto tag) {
    f(tag);
    return true;
  });
}

// to[i] += from[i].
template <class T>
void Add(T* to, const T* from, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    if constexpr (kIsFloat16<T>) {
      to[i] = T(static_cast<float>(to[i]) + static_cast<float>(from[i]));
    } else {
      to[i] += from[i];
    }
  }
}

template <class T>
void Divide(T* to, int64_t n, int64_t by) {
  const T divisor = T(static_cast<float>(by));
  for (int64_t i = 0; i < n; ++i) {
    if constexpr (kIsFloat16<T>) {
      to[i] = T(static_cast<float>(to[i]) / static_cast<float>(divisor));
    } else {
      to[i] /= static_cast<T>(by);
    }
  }
}

void DivideRun(Tensor& sum, int64_t first, int64_t n, int64_t by) {
  ForGradientType(sum.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    Divide(static_cast<T*>(sum.mutable_raw()) + first, n, by);
  });
}

}  // namespace

void Accumulator::Describe(const std::string& name, const AccumulatorSpec& spec) {
  MutexLock lock(mutex_);
  if (name_.empty()) name_ = name;
  if (spec_.dtype == DType::kInvalid) spec_ = spec;
}

void Accumulator::Apply(ThreadPool& pool, int64_t local_step, const Tensor& gradient) {
  Answers answers;
  {
    MutexLock lock(mutex_);
    if (local_step < global_step_) return;
    Require(count_ == 0 || sum_.shape() == gradient.shape(), "accumulator '", name_, "': a gradient of shape ",
            Printed(gradient.shape()), " does not fit the sum so far");
    Require(spec_.shape.IsCompatibleWith(gradient.shape()), "accumulator '", name_, "': a gradient of shape ",
            Printed(gradient.shape()), " does not fit the shape ", Printed(spec_.shape));
    if (count_++ == 0) {
      sum_ = gradient.Clone();
    } else {
      void* const sum = sum_.mutable_raw();
      ForGradientType(spec_.dtype, [&](auto tag) {
        using T = typename decltype(tag)::Type;
        T* const to = static_cast<T*>(sum);
        const T* const from = static_cast<const T*>(gradient.raw());
        pool.ParallelFor(gradient.elements(), GrainFor(1),
                         [&](int64_t begin, int64_t end) { Add(to + begin, from + begin, end - begin); });
      });
    }
    Serve(answers);
  }
  Give(answers);
}

void Accumulator::ApplyRows(int64_t local_step, const Tensor& indices, const Tensor& values, const Tensor* shape) {
  Answers answers;
  {
    MutexLock lock(mutex_);
    if (local_step < global_step_) return;
    CheckRows(indices, values, shape);
    if (count_++ == 0) {
      sum_ = values.Clone();
      indices_ = ToInt64s(indices);
      row_counts_.assign(indices_.size(), 1);
    } else {
      MergeRows(indices, values);
    }
    Serve(answers);
  }
  Give(answers);
}

// C5, in this order.
void Accumulator::CheckRows(const Tensor& indices, const Tensor& values, const Tensor* shape) const {
  Require(indices.rank() == 1, "the indices are a vector, not of shape ", Printed(indices.shape()));
  Require(values.rank() > 0 && values.dim(0) == indices.dim(0), "there must be a row of values for each of the ",
          indices.dim(0), " indices, and the values are of shape ", Printed(values.shape()));
  const PartialShape& whole = spec_.shape;
  if (shape != nullptr) {
    Require(whole.rank() <= shape->elements(), "the gradient's shape has fewer dimensions than the accumulator's, ",
            Printed(whole));
    for (int axis = 0; axis < whole.rank(); ++axis) {
      Require(whole.dim(axis) < 0 || whole.dim(axis) == IntAt(*shape, axis), "dimension ", axis,
              " of the gradient's shape is not that of ", Printed(whole));
    }
  }
  if (whole.rank() > 0 && whole.dim(0) >= 0) {
    for (const int64_t index : indices.data<int64_t>()) {
      Require(index < whole.dim(0), "the index ", index, " is beyond the accumulator's shape ", Printed(whole));
    }
  }
  const PartialShape expected = count_ > 0 ? PartialShape(sum_.shape()) : whole;
  bool fits = count_ > 0 ? expected.rank() == values.rank() : expected.rank() <= values.rank();
  for (int axis = 1; fits && axis < expected.rank(); ++axis) {
    fits = expected.dim(axis) < 0 || expected.dim(axis) == values.dim(axis);
  }
  Require(fits, "values of shape ", Printed(values.shape()), " do not fit ", Printed(expected));
}

// Both are in the order of their indices; so is what is made of them.
void Accumulator::MergeRows(const Tensor& indices, const Tensor& values) {
  const auto added = indices.data<int64_t>();
  const size_t old_rows = indices_.size(), new_rows = added.size();
  struct Source {
    int64_t old_row, new_row;  // -1: none
  };
  std::vector<Source> sources;
  std::vector<int64_t> merged, counts;
  for (size_t i = 0, j = 0; i < old_rows || j < new_rows;) {
    const bool from_old = i < old_rows && (j == new_rows || indices_[i] <= added[j]);
    const bool from_new = j < new_rows && (i == old_rows || added[j] <= indices_[i]);
    sources.push_back({from_old ? static_cast<int64_t>(i) : -1, from_new ? static_cast<int64_t>(j) : -1});
    merged.push_back(from_old ? indices_[i] : added[j]);
    counts.push_back((from_old ? row_counts_[i] : 0) + (from_new ? 1 : 0));
    i += from_old ? 1 : 0;
    j += from_new ? 1 : 0;
  }
  std::vector<int64_t> dims = values.shape().ToVector();
  const int64_t row = ElementsIn(values.shape(), 1, values.rank());
  dims[0] = static_cast<int64_t>(sources.size());
  Tensor sum = Allocate(spec_.dtype, Shape(dims));
  if (sum.elements() > 0) {
    for (size_t k = 0; k < sources.size(); ++k) {
      const auto [old_row, new_row] = sources[k];
      const int64_t at = static_cast<int64_t>(k) * row;
      const Tensor& first = old_row >= 0 ? sum_ : values;
      CopyRun(spec_.dtype, first.raw(), (old_row >= 0 ? old_row : new_row) * row, sum.mutable_raw(), at, row);
      if (old_row < 0 || new_row < 0) continue;
      const int64_t from = new_row * row;
      ForGradientType(spec_.dtype, [&](auto tag) {
        using T = typename decltype(tag)::Type;
        Add(static_cast<T*>(sum.mutable_raw()) + at, static_cast<const T*>(values.raw()) + from, row);
      });
    }
  }
  sum_ = std::move(sum);
  indices_ = std::move(merged);
  row_counts_ = std::move(counts);
}

// C2.
std::optional<LineAnswer> Accumulator::TryServe(const GradientsWanted& wanted) {
  if (count_ < wanted) return std::nullopt;
  ++global_step_;
  const int64_t count = std::exchange(count_, 0);
  Tensor sum = std::exchange(sum_, Tensor());
  if (!spec_.is_sparse) {
    if (spec_.is_mean) DivideRun(sum, 0, sum.elements(), count);
    return LineAnswer{OkStatus(), {std::move(sum)}};
  }
  const auto rows = static_cast<int64_t>(indices_.size());
  const int64_t row = ElementsIn(sum.shape(), 1, sum.rank());
  for (int64_t i = 0; spec_.is_mean && sum.elements() > 0 && i < rows; ++i) {
    DivideRun(sum, i * row, row, row_counts_[static_cast<size_t>(i)]);
  }
  std::vector<int64_t> shape = sum.shape().ToVector();
  shape[0] = spec_.shape.rank() > 0 ? spec_.shape.dim(0) : -1;
  Tensor indices = MakeTensor<int64_t>({rows}, std::span<const int64_t>(indices_));
  Tensor dims = MakeTensor<int64_t>({static_cast<int64_t>(shape.size())}, std::span<const int64_t>(shape));
  return LineAnswer{OkStatus(), {std::move(indices), std::move(sum), std::move(dims)}};
}

std::string Accumulator::Describe(const GradientsWanted& wanted) const {
  return Str("accumulator '", name_, "': ", wanted, wanted == 1 ? " gradient" : " gradients", " wanted, ", count_,
             " there");
}

void Accumulator::SetGlobalStep(int64_t step) {
  MutexLock lock(mutex_);
  global_step_ = step;
}

int64_t Accumulator::count() {
  MutexLock lock(mutex_);
  return count_;
}

}  // namespace plumb::fast::cpu
