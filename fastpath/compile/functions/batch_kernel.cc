#include "fastpath/compile/functions/batch_kernel.h"

#include <algorithm>

#include "fastpath/device/variable_buffer.h"

namespace plumb::fast {
namespace {

Tensor Padded(const Tensor& given, int64_t size) {
  std::vector<int64_t> dims = given.shape().ToVector();
  const int64_t rows = dims[0];
  dims[0] = size;
  Tensor padded = Allocate(given.dtype(), Shape(dims));
  Tensor own = padded.Rows(0, rows);
  CopyElements(given, own);
  const Tensor first = given.Rows(0, 1);
  for (int64_t row = rows; row < size; ++row) {
    Tensor copy = padded.Rows(row, 1);
    CopyElements(first, copy);
  }
  return padded;
}

class PadKernel final : public Kernel {
 public:
  PadKernel(const std::string& call, int64_t most, std::vector<int64_t> allowed, bool splits)
      : node_(call), most_(most), allowed_(std::move(allowed)), splits_(splits) {}

  void Run(KernelContext& context) override {
    CheckSizes();
    for (int i = 0; i < context.num_inputs(); ++i) {
      const Tensor& given = context.input(i);
      Require(given.rank() > 0, "input ", i, " of '", node_, "' is a scalar; it must have rows");
      Require(given.dim(0) == context.input(0).dim(0), "the inputs of '", node_, "' have ", context.input(0).dim(0),
              " and ", given.dim(0), " rows; they must have one number of them");
    }
    const int64_t rows = context.input(0).dim(0);
    Require(rows <= most_, "'", node_, "' is given ", rows, " rows, but a batch has ", most_, " at most");
    if (!allowed_.empty() && rows > allowed_.back()) {
      throw Unimplemented("'", node_, "' is given ", rows, " rows, which would have to be split into batches of ",
                          allowed_.back(), " at most: give it fewer at a time");
    }
    const auto next = std::lower_bound(allowed_.begin(), allowed_.end(), rows);
    const int64_t size = next == allowed_.end() ? rows : *next;
    Require(rows > 0 || size == 0, "'", node_, "' is given no row that could be copied to make ", size);
    for (int i = 0; i < context.num_inputs(); ++i) {
      context.Unalias(i);
      context.SetOutput(i, size == rows ? context.input(i) : Padded(context.input(i), size));
    }
  }

 private:
  void CheckSizes() const {
    const auto descends = [](int64_t a, int64_t b) { return a >= b; };
    Require(std::adjacent_find(allowed_.begin(), allowed_.end(), descends) == allowed_.end(),
            "allowed_batch_sizes of '", node_, "' must ascend");
    Require(allowed_.empty() || (allowed_.front() > 0 && (splits_ || allowed_.back() == most_)),
            "allowed_batch_sizes of '", node_, "' must be positive and end with max_batch_size, ", most_);
  }

  const std::string node_;
  const int64_t most_;
  const std::vector<int64_t> allowed_;
  const bool splits_;
};

class CutKernel final : public Kernel {
 public:
  explicit CutKernel(const std::string& call) : node_(call) {}

  void Run(KernelContext& context) override {
    const int64_t own = context.input(0).dim(0), size = context.input(1).dim(0);
    const bool fits = context.input(2).rank() > 0 && context.input(2).dim(0) == size;
    if (!fits) {
      throw FailedPrecondition("the function of '", node_, "' gives a result of the shape ",
                               context.input(2).shape().ToString(), "; it must have ", size, " rows, as its inputs");
    }
    context.Unalias(2);
    context.SetOutput(0, own == size ? context.input(2) : context.input(2).Rows(0, own));
  }

 private:
  const std::string node_;
};

}  // namespace

std::shared_ptr<Kernel> MakePadKernel(const std::string& call, int64_t most, std::vector<int64_t> allowed,
                                      bool splits) {
  return std::make_shared<PadKernel>(call, most, std::move(allowed), splits);
}

std::shared_ptr<Kernel> MakeCutKernel(const std::string& call) { return std::make_shared<CutKernel>(call); }

}  // namespace plumb::fast
