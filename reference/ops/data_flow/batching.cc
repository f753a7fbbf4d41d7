// Steps that compute together (rules BT1–BT4).
#include "reference/state/batching.h"

#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/ops/lib/slab.h"
#include "reference/ops/lib/staging.h"
#include "spec/graph/int32_attr.h"

namespace plumb::reference {
namespace {

BatchLimits LimitsOfBatch(const Node& node) {
  return {Int32Attr(node, "max_batch_size"), Int32List(node, "allowed_batch_sizes")};
}

void CheckBatch(const Node& node) {
  const BatchLimits limits = LimitsOfBatch(node);
  Require(Int32Attr(node, "num_batch_threads") > 0, "num_batch_threads must be positive");
  Int32Attr(node, "max_enqueued_batches");
  Require(Int32Attr(node, "batch_timeout_micros") >= 0, "batch_timeout_micros must not be negative");
  Require(limits.rows > 0, "max_batch_size must be positive, not ", limits.rows);
  const auto is_bad = [](int64_t a, int64_t b) { return a >= b; };
  const auto& allowed = limits.allowed;
  Require(std::adjacent_find(allowed.begin(), allowed.end(), is_bad) == allowed.end(),
          "allowed_batch_sizes must ascend strictly");
  Require(allowed.empty() || (allowed.front() > 0 && allowed.back() == limits.rows),
          "allowed_batch_sizes must be positive and end with max_batch_size, ", limits.rows);
}

void CheckUnbatch(const Node& node) { Int32Attr(node, "timeout_micros"); }

template <class T>
void OutputAnswer(OpContext& c, const std::shared_ptr<T>& object) {
  if (!object->IsServed(c.execution)) return c.Park(object);
  LineAnswer answer = object->Fetch(c.execution);
  if (!answer.status.ok()) throw Error(answer.status);
  for (size_t i = 0; i < answer.values.size(); ++i) c.Output(static_cast<int>(i), std::move(answer.values[i]));
}

void Batch(OpContext& c) {
  const auto batcher = Staged<Batcher>(c);
  if (!c.resumed) {
    const BatchLimits limits = LimitsOfBatch(c.node);
    std::vector<Value> values;
    for (int i = 0; i < c.num_inputs(); ++i) {
      Require(c.tensor(i).rank() > 0, "input ", i, " must have one dimension at least");
      Require(c.tensor(i).dim(0) == c.tensor(0).dim(0), "the inputs must have one number of rows, not ",
              c.tensor(0).dim(0), " and ", c.tensor(i).dim(0));
      values.push_back(Detached(c.input(i)));
    }
    const int64_t rows = c.tensor(0).dim(0);
    Require(rows <= limits.rows, "there are ", rows, " rows, and a batch has ", limits.rows, " at most");
    if (rows == 0) {
      for (size_t i = 0; i < c.outputs.size(); ++i) {
        c.Output(static_cast<int>(i), Tensor(c.output_type(static_cast<int>(i)), {0}));
      }
      return;
    }
    batcher->Join(c.execution, limits, std::move(values));
  }
  OutputAnswer(c, batcher);
}

// The rows of a batch's index: number, first row, end.
std::vector<std::vector<int64_t>> IndexRows(const OpContext& c, int input) {
  const Tensor& index = c.tensor(input);
  Require(index.rank() == 2 && index.dim(1) == 3, "batch_index must be of three columns, not of shape ",
          index.shape().ToString());
  std::vector<std::vector<int64_t>> rows;
  for (int64_t i = 0; i < index.dim(0); ++i) {
    const auto at = index.data<int64_t>().subspan(static_cast<size_t>(3 * i), 3);
    rows.emplace_back(at.begin(), at.end());
  }
  return rows;
}

void Unbatch(OpContext& c) {
  const auto unbatcher = Staged<Unbatcher>(c);
  if (!c.resumed) {
    Require(c.tensor(2).rank() == 0, "id must be a scalar, not of shape ", c.tensor(2).shape().ToString());
    const auto index = IndexRows(c, 1);
    const Shape& shape = c.tensor(0).shape();
    Require(index.empty() || shape.rank() > 0, "what is cut apart must have rows");
    Require(index.empty() || std::ssize(index) <= shape.dim(0), "batch_index has ", index.size(),
            " rows, more than the batch");
    std::vector<std::pair<int64_t, Value>> pieces;
    int64_t begin = 0;
    for (const auto& row : index) {
      const auto size = static_cast<int64_t>(static_cast<uint64_t>(row[2]) - static_cast<uint64_t>(row[1]));
      Require(0 <= size && size <= shape.dim(0) - begin && row[2] >= row[1], "a part of ", size, " rows at row ", begin,
              " is not inside of the batch");
      pieces.emplace_back(row[0], CopyOut(c.input(0), 0, begin, size));
      begin += size;
    }
    const auto number = c.tensor(2).scalar<int64_t>();
    unbatcher->CheckNobodyWants(number);
    if (unbatcher->Holds(number)) pieces.clear();
    for (auto& [of, piece] : pieces) unbatcher->Offer(of, std::move(piece));
    unbatcher->Want(c.execution, number, c.tensor(0).dtype());
  }
  OutputAnswer(c, unbatcher);
}

void UnbatchGrad(OpContext& c) {
  const auto batcher = Staged<GradientBatcher>(c);
  if (!c.resumed) {
    Require(c.tensor(3).rank() == 0, "id must be a scalar, not of shape ", c.tensor(3).shape().ToString());
    Require(c.tensor(2).rank() > 0, "the gradient must have rows");
    const bool has_batch = c.tensor(0).elements() > 0;
    std::vector<int64_t> numbers;
    if (has_batch) {
      for (const auto& row : IndexRows(c, 1)) numbers.push_back(row[0]);
      Require(!numbers.empty(), "batch_index is empty, and the batch is not");
      Require(std::set<int64_t>(numbers.begin(), numbers.end()).size() == numbers.size(),
              "batch_index holds a number twice");
    }
    const Value gradient = Detached(c.input(2));
    batcher->Offer(c.tensor(3).scalar<int64_t>(), gradient);
    if (!has_batch) return c.Output(0, CopyOut(gradient, 0, 0, 0));
    batcher->Ask(c.execution, {std::move(numbers)});
  }
  OutputAnswer(c, batcher);
}

constexpr KernelRow kRows[] = {
    {"Batch", Batch, CheckBatch},
    {"Unbatch", Unbatch, CheckUnbatch},
    {"UnbatchGrad", UnbatchGrad},
};

}  // namespace

namespace topics {
std::span<const KernelRow> DataFlowBatching() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
