// Steps that compute together (BT1–BT4).
#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "fastpath/cpu/data_flow/batching_object.h"
#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/device/variable_access.h"
#include "spec/graph/int32_attr.h"

namespace plumb::fast::cpu {
namespace {

// The node's object of class T; without a shared name it has that of the node.
template <class T>
class BatchingKernel : public AsyncKernel {
 public:
  explicit BatchingKernel(const Node& node) : node_(node.name), name_(ResourceNameOf(node, node.name)) {}

 protected:
  const std::string& node() const { return node_; }
  std::shared_ptr<T> Object(KernelContext& context) const { return context.resources().FindOrCreate<T>(name_); }

  // The rows of a batch's index: number, first row, end.
  const int64_t* IndexRows(const Tensor& index) const {
    Require(index.rank() == 2 && index.dim(1) == 3, "batch_index must be of three columns, not of shape ",
            Printed(index.shape()));
    return index.data<int64_t>().data();
  }

 private:
  const std::string node_;
  const ResourceName name_;
};

class BatchKernel final : public BatchingKernel<BatchObject> {
 public:
  explicit BatchKernel(const Node& node)
      : BatchingKernel(node),
        limits_{Int32Attr(node, "max_batch_size"), Int32List(node, "allowed_batch_sizes"),
                Int32Attr(node, "batch_timeout_micros")},
        types_(node.output_types.begin(), node.output_types.end()) {
    const auto& allowed = limits_.allowed;
    const auto is_bad = [](int64_t a, int64_t b) { return a >= b; };
    Require(Int32Attr(node, "num_batch_threads") > 0, "num_batch_threads must be positive");
    Int32Attr(node, "max_enqueued_batches");
    Require(Int32Attr(node, "batch_timeout_micros") >= 0, "batch_timeout_micros must not be negative");
    Require(limits_.rows > 0, "max_batch_size must be positive, not ", limits_.rows);
    Require(std::adjacent_find(allowed.begin(), allowed.end(), is_bad) == allowed.end(),
            "allowed_batch_sizes must ascend strictly");
    Require(allowed.empty() || (allowed.front() > 0 && allowed.back() == limits_.rows),
            "allowed_batch_sizes must be positive and end with max_batch_size, ", limits_.rows);
  }

  void Start(AsyncContext& context, Done done) override {
    std::vector<Tensor> values;
    for (int i = 0; i < context.num_inputs(); ++i) {
      values.push_back(Unaliased(context.input(i)));
      Require(values.back().rank() > 0, "input ", i, " must have one dimension at least");
      Require(values.back().dim(0) == values[0].dim(0), "the inputs must have one number of rows, not ",
              values[0].dim(0), " and ", values.back().dim(0));
    }
    const int64_t rows = values[0].dim(0);
    Require(rows <= limits_.rows, "there are ", rows, " rows, and a batch has ", limits_.rows, " at most");
    if (rows > 0) return Object(context)->Join(context, std::move(done), limits_, std::move(values));
    for (size_t i = 0; i < types_.size(); ++i) context.AllocateOutput(static_cast<int>(i), types_[i], {0});
    done(OkStatus());
  }

 private:
  const BatchLimits limits_;
  const std::vector<DType> types_;
};

class UnbatchKernel final : public BatchingKernel<UnbatchObject> {
 public:
  explicit UnbatchKernel(const Node& node) : BatchingKernel(node), microseconds_(Int32Attr(node, "timeout_micros")) {}

  void Start(AsyncContext& context, Done done) override {
    const Tensor batch = Unaliased(context.input(0));
    const Tensor &index = context.input(1), &number = context.input(2);
    Require(number.rank() == 0, "id must be a scalar, not of shape ", Printed(number.shape()));
    const int64_t* row = IndexRows(index);
    const int64_t count = index.dim(0), rows = batch.rank() == 0 ? 0 : batch.dim(0);
    Require(count == 0 || (batch.rank() > 0 && count <= rows), "batch_index has ", count, " rows, more than the batch");
    UnbatchObject::Pieces pieces;
    int64_t begin = 0;
    for (int64_t i = 0; i < count; ++i, row += 3) {
      const int64_t size = static_cast<int64_t>(static_cast<uint64_t>(row[2]) - static_cast<uint64_t>(row[1]));
      Require(0 <= size && size <= rows - begin && row[2] >= row[1], "a part of ", size, " rows at row ", begin,
              " is not inside of the batch");
      pieces.emplace_back(row[0], RowsCopied(batch, begin, size));
      begin += size;
    }
    Object(context)->Exchange(context, std::move(done), number.data<int64_t>()[0], batch.dtype(), microseconds_,
                              std::move(pieces));
  }

 private:
  const int64_t microseconds_;
};

class UnbatchGradKernel final : public BatchingKernel<GradientBatchObject> {
 public:
  using BatchingKernel::BatchingKernel;

  void Start(AsyncContext& context, Done done) override {
    const Tensor &index = context.input(1), &number = context.input(3);
    const Tensor gradient = Unaliased(context.input(2));
    Require(number.rank() == 0, "id must be a scalar, not of shape ", Printed(number.shape()));
    Require(gradient.rank() > 0, "the gradient must have rows");
    const bool has_batch = context.input(0).elements() > 0;
    std::vector<int64_t> numbers;
    if (has_batch) {
      const int64_t* const rows = IndexRows(index);
      for (int64_t i = 0; i < index.dim(0); ++i) numbers.push_back(rows[3 * i]);
      Require(!numbers.empty(), "batch_index is empty, and the batch is not");
      Require(std::set<int64_t>(numbers.begin(), numbers.end()).size() == numbers.size(),
              "batch_index holds a number twice");
    }
    const auto object = Object(context);
    object->Offer(number.data<int64_t>()[0], gradient);
    if (has_batch) return object->Ask(context, std::move(done), {std::move(numbers), gradient.dtype()});
    context.SetOutput(0, RowsCopied(gradient, 0, 0));
    done(OkStatus());
  }
};

constexpr KernelRow kRows[] = {
    {"Batch", Make<BatchKernel>},
    {"Unbatch", Make<UnbatchKernel>},
    {"UnbatchGrad", Make<UnbatchGradKernel>},
};

}  // namespace

std::span<const KernelRow> DataFlowBatching() { return kRows; }

}  // namespace plumb::fast::cpu
