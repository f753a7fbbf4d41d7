// What dense and sparse accumulators have in common, and what is saved of them (rules C2, S10).
#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/state/accumulator.h"

namespace plumb::fast::cpu {

std::shared_ptr<Accumulator> AccumulatorLookup::FindOf(KernelContext& context, DType dtype, bool is_sparse) const {
  auto accumulator = Find(context);
  const AccumulatorSpec& spec = accumulator->spec();
  Require(spec.dtype == dtype && spec.is_sparse == is_sparse, "the accumulator '", accumulator->name(), "' adds ",
          spec.is_sparse ? "rows of " : "tensors of ", DTypeName(spec.dtype), ", not ",
          is_sparse ? "rows of " : "tensors of ", DTypeName(dtype));
  return accumulator;
}

MakeAccumulatorKernel::MakeAccumulatorKernel(const Node& node, bool is_sparse)
    : name_(PrivateNameOf(node)),
      shown_name_(name_.name[0] == '_' ? node.name : name_.name),
      handle_(node, name_, kAccumulatorTypeName) {
  spec_.dtype = GetAttr<DType>(node.attrs, "dtype");
  spec_.shape = GetAttr<PartialShape>(node.attrs, "shape");
  spec_.is_sparse = is_sparse;
  spec_.is_mean = GetAttr<std::string>(node.attrs, "reduction_type") == "MEAN";
}

void MakeAccumulatorKernel::Run(KernelContext& context) {
  context.resources().FindOrCreate<Accumulator>(name_)->Describe(shown_name_, spec_);
  handle_.Set(context);
}

TakeGradientKernel::TakeGradientKernel(const Node& node, bool is_sparse)
    : lookup_(node), dtype_(OutputType(node, is_sparse ? 1 : 0)), is_sparse_(is_sparse) {}

void TakeGradientKernel::Start(AsyncContext& context, Done done) {
  const auto accumulator = lookup_.FindOf(context, dtype_, is_sparse_);
  const Tensor& wanted = context.input(1);
  Require(wanted.rank() == 0, "num_required must be a scalar, not of shape ", Printed(wanted.shape()));
  const int32_t count = wanted.data<int32_t>()[0];
  Require(count > 0, "num_required must be positive, but is ", count);
  accumulator->Ask(context, std::move(done), count);
}

void Accumulator::Save(const StateWriter& writer) const {
  MutexLock lock(mutex_);
  writer.PutScalar<int32_t>("dtype", static_cast<int32_t>(spec_.dtype));
  if (spec_.shape.has_rank()) {
    const std::vector<int64_t>& dims = spec_.shape.dims();
    writer.Put("shape", MakeTensor<int64_t>({static_cast<int64_t>(dims.size())}, std::span<const int64_t>(dims)));
  }
  writer.PutScalar<bool>("is_sparse", spec_.is_sparse);
  writer.PutScalar<bool>("is_mean", spec_.is_mean);
  writer.PutScalar<int64_t>("global_step", global_step_);
  writer.PutScalar<int64_t>("count", count_);
  if (count_ == 0) return;
  const auto rows = static_cast<int64_t>(indices_.size());
  writer.Under("sum").Put("tensor", sum_.Clone());
  writer.Put("indices", MakeTensor<int64_t>({rows}, std::span<const int64_t>(indices_)));
  writer.Put("row_counts", MakeTensor<int64_t>({rows}, std::span<const int64_t>(row_counts_)));
}

void Accumulator::Restore(const StateReader& reader) {
  MutexLock lock(mutex_);
  spec_.dtype = static_cast<DType>(reader.GetScalar<int32_t>("dtype"));
  if (reader.Has("shape")) spec_.shape = PartialShape(ToInt64s(reader.Get("shape")));
  spec_.is_sparse = reader.GetScalar<bool>("is_sparse");
  spec_.is_mean = reader.GetScalar<bool>("is_mean");
  global_step_ = reader.GetScalar<int64_t>("global_step");
  count_ = reader.GetScalar<int64_t>("count");
  if (count_ == 0) return;
  sum_ = reader.Under("sum").Get("tensor").Clone();
  indices_ = ToInt64s(reader.Get("indices"));
  row_counts_ = ToInt64s(reader.Get("row_counts"));
  const size_t rows = spec_.is_sparse && sum_.rank() > 0 ? static_cast<size_t>(sum_.dim(0)) : 0;
  if (sum_.dtype() != spec_.dtype || (spec_.is_sparse && sum_.rank() == 0) || indices_.size() != rows ||
      row_counts_.size() != rows) {
    throw DataLoss("the saved state of an accumulator has a sum that is not the accumulator's");
  }
}

}  // namespace plumb::fast::cpu
