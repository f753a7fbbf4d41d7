// A sum of gradients that is handed out once enough of them have come (rules C1–C5).
#pragma once

#include <string>
#include <vector>

#include "fastpath/cpu/lib/state/named_resource.h"
#include "fastpath/cpu/lib/state/waiting_line.h"

namespace plumb::fast::cpu {

inline constexpr const char* kAccumulatorTypeName = "Accumulator";

struct AccumulatorSpec {
  DType dtype = DType::kInvalid;
  PartialShape shape;
  bool is_sparse = false;
  bool is_mean = true;
};

// How many gradients are wanted.
using GradientsWanted = int32_t;

class Accumulator : public WaitingLine<GradientsWanted> {
 public:
  Accumulator() = default;
  ~Accumulator() override { Dismiss(Status(Code::kNotFound, Str("accumulator '", name_, "' was dropped"))); }
  Accumulator(const Accumulator&) = delete;
  Accumulator& operator=(const Accumulator&) = delete;

  // Says what it is, the first time. Comes before anything else.
  void Describe(const std::string& name, const AccumulatorSpec& spec);
  const AccumulatorSpec& spec() const { return spec_; }
  const std::string& name() const { return name_; }

  // C1: one more gradient, unless it is too old; kInvalidArgument when it does not fit.
  void Apply(ThreadPool& pool, int64_t local_step, const Tensor& gradient);
  // C5: of rows with these indices. `shape` is null where it is not given.
  void ApplyRows(int64_t local_step, const Tensor& indices, const Tensor& values, const Tensor* shape);
  void SetGlobalStep(int64_t step);
  int64_t count();

  void Save(const StateWriter& writer) const override;
  void Restore(const StateReader& reader) override;

 private:
  std::optional<LineAnswer> TryServe(const GradientsWanted& wanted) override PLUMB_REQUIRES(mutex_);
  std::string Describe(const GradientsWanted& wanted) const override PLUMB_REQUIRES(mutex_);
  void CheckRows(const Tensor& indices, const Tensor& values, const Tensor* shape) const PLUMB_REQUIRES(mutex_);
  void MergeRows(const Tensor& indices, const Tensor& values) PLUMB_REQUIRES(mutex_);

  std::string name_;  // this and the spec never change once they are said; a restored one has the spec
  AccumulatorSpec spec_;
  int64_t global_step_ PLUMB_GUARDED_BY(mutex_) = 0;
  int64_t count_ PLUMB_GUARDED_BY(mutex_) = 0;
  Tensor sum_ PLUMB_GUARDED_BY(mutex_);  // of `count_` gradients
  std::vector<int64_t> indices_ PLUMB_GUARDED_BY(mutex_), row_counts_ PLUMB_GUARDED_BY(mutex_);
};

// The handle of an accumulator is input 0.
class AccumulatorLookup {
 public:
  explicit AccumulatorLookup(const Node& node) : lookup_(node, kAccumulatorTypeName) {}
  std::shared_ptr<Accumulator> Find(KernelContext& context) const { return lookup_.Find<Accumulator>(context); }
  // kInvalidArgument unless it adds such gradients.
  std::shared_ptr<Accumulator> FindOf(KernelContext& context, DType dtype, bool is_sparse) const;

 private:
  const NamedLookup lookup_;
};

class MakeAccumulatorKernel : public Kernel {
 public:
  MakeAccumulatorKernel(const Node& node, bool is_sparse);
  void Run(KernelContext& context) override;

 private:
  AccumulatorSpec spec_;
  const ResourceName name_;
  const std::string shown_name_;
  const HandleOutput handle_;
};

// C2: waits for the gradients that input 1 asks for.
class TakeGradientKernel : public AsyncKernel {
 public:
  TakeGradientKernel(const Node& node, bool is_sparse);
  void Start(AsyncContext& context, Done done) override;

 private:
  const AccumulatorLookup lookup_;
  const DType dtype_;
  const bool is_sparse_;
};

}  // namespace plumb::fast::cpu
