#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

constexpr int64_t kWorkPerString = 64;

class StringJoinKernel : public Kernel {
 public:
  explicit StringJoinKernel(const Node& node) : separator_(GetAttr<std::string>(node.attrs, "separator")) {}

  void Run(KernelContext& context) override {
    constexpr int64_t kGrain = 1024;
    std::vector<Part> parts;
    const Shape shape = Collect(context, parts);
    const auto joined = context.AllocateOutput(0, DType::kString, shape).mutable_data<std::string>();
    context.pool().ParallelFor(shape.elements(), kGrain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) Join(parts, i, joined[i]);
    });
  }

 private:
  // An input: its strings, and how far apart those of neighbouring elements are: 0 for a scalar.
  struct Part {
    const std::string* strings;
    int64_t stride;
  };

  Shape Collect(const KernelContext& context, std::vector<Part>& parts) const {
    Shape shape;
    parts.reserve(context.num_inputs());
    for (int i = 0; i < context.num_inputs(); ++i) {
      const Tensor& input = context.input(i);
      parts.push_back({input.data<std::string>().data(), input.rank() == 0 ? 0 : 1});
      if (input.rank() == 0) continue;
      Require(shape.rank() == 0 || shape == input.shape(), "strings of the shapes ", Printed(shape), " and ",
              Printed(input.shape()), " cannot be joined");
      shape = input.shape();
    }
    return shape;
  }

  void Join(const std::vector<Part>& parts, int64_t element, std::string& joined) const {
    size_t length = separator_.size() * (parts.size() - 1);
    for (const Part& part : parts) length += part.strings[element * part.stride].size();
    joined.reserve(length);
    for (size_t i = 0; i < parts.size(); ++i) {
      if (i > 0) joined.append(separator_);
      joined.append(parts[i].strings[element * parts[i].stride]);
    }
  }

  const std::string separator_;
};

// Nested loops over some axes of a tensor, of which the last one in the list is walked through first.
struct AxisLoops {
  Dims sizes, strides;

  void Add(int64_t size, int64_t stride) {
    sizes.Append(size);
    strides.Append(stride);
  }
  int64_t count() const {
    int64_t product = 1;
    for (int i = 0; i < sizes.rank; ++i) product *= sizes[i];
    return product;
  }
  // How far the element of iteration `i` is from that of the first.
  int64_t Offset(int64_t i) const {
    int64_t offset = 0;
    for (int loop = sizes.rank - 1; loop >= 0; --loop) {
      offset += i % sizes[loop] * strides[loop];
      i /= sizes[loop];
    }
    return offset;
  }
};

class ReduceJoinKernel : public Kernel {
 public:
  explicit ReduceJoinKernel(const Node& node)
      : separator_(GetAttr<std::string>(node.attrs, "separator")), keep_dims_(GetAttr<bool>(node.attrs, "keep_dims")) {}

  void Run(KernelContext& context) override {
    const Tensor &input = context.input(0), &axes = context.input(1);
    AxisLoops kept, joined;
    const Shape shape = Divide(input.shape(), axes.data<int32_t>(), kept, joined);
    const auto results = context.AllocateOutput(0, DType::kString, shape).mutable_data<std::string>();
    if (input.elements() == 0) return;
    const int64_t count = joined.count();
    const std::string* strings = input.data<std::string>().data();
    context.pool().ParallelFor(shape.elements(), GrainFor(kWorkPerString * (count + 1)),
                               [&](int64_t begin, int64_t end) {
                                 for (int64_t i = begin; i < end; ++i) {
                                   const std::string* first = strings + kept.Offset(i);
                                   for (int64_t j = 0; j < count; ++j) {
                                     if (j > 0) results[i].append(separator_);
                                     results[i].append(first[joined.Offset(j)]);
                                   }
                                 }
                               });
  }

 private:
  // The loops over both kinds of axes, and the shape of the result.
  Shape Divide(const Shape& input, std::span<const int32_t> axes, AxisLoops& kept, AxisLoops& joined) const {
    const int rank = input.rank();
    std::vector<bool> is_joined(rank, false);
    for (const int32_t axis : axes) {
      if (axis < -rank || axis >= rank) {
        throw OutOfRange("axis ", axis, " is not one of the shape ", input.ToString());
      }
      const int from_front = axis < 0 ? axis + rank : axis;
      Require(!is_joined[from_front], "axis ", axis, " is joined twice");
      is_joined[from_front] = true;
    }
    for (size_t i = axes.size(); i-- > 0;) {
      const int axis = axes[i] < 0 ? axes[i] + rank : axes[i];
      joined.Add(input[axis], ElementsIn(input, axis + 1, rank));
    }
    Dims result;
    for (int axis = 0; axis < rank; ++axis) {
      if (!is_joined[axis]) kept.Add(input[axis], ElementsIn(input, axis + 1, rank));
      if (!is_joined[axis] || keep_dims_) result.Append(is_joined[axis] ? 1 : input[axis]);
    }
    return result.ToShape();
  }

  const std::string separator_;
  const bool keep_dims_;
};

class UnsortedSegmentJoinKernel : public Kernel {
 public:
  explicit UnsortedSegmentJoinKernel(const Node& node) : separator_(GetAttr<std::string>(node.attrs, "separator")) {}

  void Run(KernelContext& context) override {
    const Tensor &inputs = context.input(0), &ids = context.input(1), &num = context.input(2);
    Require(num.rank() == 0, "num_segments must be a scalar, not of shape ", Printed(num.shape()));
    const int64_t segments = IntAt(num, 0);
    Require(segments >= 0, "num_segments must not be negative, and is ", segments);
    const Shape shape = ResultShape(inputs.shape(), ids.shape(), segments);
    CheckIds(ids, segments);
    std::string* results = context.AllocateOutput(0, DType::kString, shape).mutable_data<std::string>().data();
    if (inputs.elements() == 0) return;
    const std::vector<int64_t> ends = CountRows(ids, segments);
    std::vector<int64_t> rows(ids.elements());  // by segment, each in order
    std::vector<int64_t> next = ends;
    for (int64_t i = ids.elements() - 1; i >= 0; --i) rows[--next[IntAt(ids, i)]] = i;
    const int64_t width = ElementsIn(shape, 1, shape.rank());
    const std::string* strings = inputs.data<std::string>().data();
    const int64_t per_segment = inputs.elements() / segments + 1;
    context.pool().ParallelFor(segments, GrainFor(kWorkPerString * per_segment), [&](int64_t begin, int64_t end) {
      for (int64_t s = begin; s < end; ++s) {
        for (int64_t i = s == 0 ? 0 : ends[s - 1]; i < ends[s]; ++i) {
          for (int64_t j = 0; j < width; ++j) Append(results[s * width + j], strings[rows[i] * width + j]);
        }
      }
    });
  }

 private:
  Shape ResultShape(const Shape& inputs, const Shape& ids, int64_t segments) const {
    Require(ids.rank() > 0, "segment_ids must not be a scalar");
    if (ids.rank() > inputs.rank()) {
      throw OutOfRange("segment_ids of ", ids.rank(), " dimensions cannot divide inputs of ", inputs.rank());
    }
    bool fits = true;
    for (int axis = 0; fits && axis < ids.rank(); ++axis) fits = inputs[axis] == ids[axis];
    Require(fits, "the shape of inputs, ", Printed(inputs), ", must start with that of segment_ids, ", Printed(ids));
    Dims dims;
    dims.Append(segments);
    for (int axis = ids.rank(); axis < inputs.rank(); ++axis) dims.Append(inputs[axis]);
    return dims.ToShape();
  }

  void CheckIds(const Tensor& ids, int64_t segments) const {
    for (int64_t i = 0; i < ids.elements(); ++i) {
      const int64_t id = IntAt(ids, i);
      Require(id >= 0 && id < segments, "segment_ids[", i, "] = ", id, " is not in [0, ", segments, ")");
    }
  }

  // How many rows there are up to and with each segment.
  static std::vector<int64_t> CountRows(const Tensor& ids, int64_t segments) {
    std::vector<int64_t> counts(static_cast<size_t>(segments));
    for (int64_t i = 0; i < ids.elements(); ++i) ++counts[IntAt(ids, i)];
    for (int64_t s = 1; s < segments; ++s) counts[s] += counts[s - 1];
    return counts;
  }

  void Append(std::string& joined, const std::string& piece) const {
    if (!joined.empty()) joined.append(separator_);
    joined.append(piece);
  }

  const std::string separator_;
};

constexpr KernelRow kRows[] = {
    {"StringJoin", Make<StringJoinKernel>},
    {"ReduceJoin", Make<ReduceJoinKernel>},
    {"UnsortedSegmentJoin", Make<UnsortedSegmentJoinKernel>},
};

}  // namespace

std::span<const KernelRow> StringJoin() { return kRows; }

}  // namespace plumb::fast::cpu
