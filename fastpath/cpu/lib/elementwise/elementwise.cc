#include "fastpath/cpu/lib/elementwise/elementwise.h"

#include <cstring>

#include "fastpath/cpu/lib/elementwise/broadcast.h"
#include "fastpath/cpu/lib/half_convert.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/formulas/traits.h"

namespace plumb::fast::cpu {
namespace {

UnaryLoop FindUnary(const Formula& formula, const FormulaLoops& vectors, DType type) {
  const UnaryLoop loop = vectors.unary(type);
  return loop != nullptr ? loop : formula.plain.unary(type);
}
BinaryLoop FindBinary(const Formula& formula, const FormulaLoops& vectors, DType type) {
  const BinaryLoop loop = vectors.binary(type);
  return loop != nullptr ? loop : formula.plain.binary(type);
}

constinit ChoicePoint unary_pieces("16-bit operand: one piece, or several");
constinit ChoicePoint binary_pieces("16-bit operands: one piece, or several");
constinit ChoicePoint one_number("operands: arrays, or a number each");
constinit ChoicePoint number_on_the_right("operands of two shapes: broadcast, or a number on the right");
constinit ChoicePoint number_on_the_left("operands of two shapes: broadcast, or a number on the left");

// A complex number has parts of one width: a node that says otherwise has no kernel (rule A7).
void CheckParts(const Node& node, DType in, DType out) {
  if (IsComplex(in) == IsComplex(out) || out == DType::kBool) return;
  const size_t whole = ElementSize(IsComplex(in) ? in : out), part = ElementSize(IsComplex(in) ? out : in);
  if (whole != 2 * part) ThrowNoKernel(node);
}

size_t StepOf(DType type) { return type == DType::kString ? sizeof(std::string) : ElementSize(type); }

}  // namespace

std::unique_ptr<Kernel> MakeElementwise(const Node& node, const Formula& formula, const FormulaLoops& vectors) {
  if (vectors.unary != nullptr) return std::make_unique<UnaryKernel>(node, formula, vectors);
  return std::make_unique<BinaryKernel>(node, formula, vectors);
}

UnaryKernel::UnaryKernel(const Node& node, const Formula& formula, const FormulaLoops& vectors)
    : in_(InputType(node, 0)),
      out_(OutputType(node, 0)),
      via_float_(IsHalfWidth(in_)),
      grain_(GrainFor(node.op->cost)),
      loop_(FindUnary(formula, vectors, ComputeType(in_))) {
  CheckParts(node, in_, out_);
}

void UnaryKernel::Apply(const char* x, char* y, int64_t n) const {
  if (!via_float_) return loop_(x, y, n);
  unary_pieces.Chosen(n > kFloatPiece);
  float buffer[kFloatPiece];
  for (int64_t i = 0; i < n; i += kFloatPiece) {
    const int64_t count = std::min(kFloatPiece, n - i);
    ToFloat(in_, x + i * 2, buffer, count);
    if (out_ != in_) {
      loop_(buffer, y + i * static_cast<int64_t>(ElementSize(out_)), count);
      continue;
    }
    loop_(buffer, buffer, count);
    FromFloat(out_, buffer, y + i * 2, count);
  }
}

void UnaryKernel::Run(KernelContext& context) {
  const char* from = static_cast<const char*>(context.input(0).raw());
  const Shape shape = context.input(0).shape();
  const int64_t n = shape.elements();
  char* to = static_cast<char*>(context.ForwardOrAllocate(0, 0, out_, shape).mutable_raw());
  const auto in_size = static_cast<int64_t>(ElementSize(in_)), out_size = static_cast<int64_t>(ElementSize(out_));
  context.pool().ParallelFor(n, grain_, [&](int64_t begin, int64_t end) {
    Apply(from + begin * in_size, to + begin * out_size, end - begin);
  });
}

BinaryKernel::BinaryKernel(const Node& node, const Formula& formula, const FormulaLoops& vectors)
    : in_(InputType(node, 0)),
      out_(OutputType(node, 0)),
      via_float_(false),
      same_size_((formula.traits & kSameSize) != 0),
      same_shape_((formula.traits & kSameShape) != 0),
      in_size_(StepOf(in_)),
      out_size_(StepOf(out_)),
      grain_(GrainFor(node.op->cost)),
      loop_(FindBinary(formula, vectors, in_)) {
  if (loop_ == nullptr && IsHalfWidth(in_)) {
    via_float_ = true;
    loop_ = FindBinary(formula, vectors, DType::kFloat);
  }
  CheckParts(node, in_, out_);
  tolerates_shapes_ = !GetAttrOr<bool>(node.attrs, "incompatible_shape_error", true);
  mismatch_answer_ = (formula.traits & kTrueOfUnlike) != 0;
}

void BinaryKernel::Apply(const char* x, const char* y, char* z, int64_t n, Operands operands) const {
  if (!via_float_) return loop_(x, y, z, n, operands);
  binary_pieces.Chosen(n > kFloatPiece);
  float a[kFloatPiece], b[kFloatPiece];
  if (operands == Operands::kScalarX) ToFloat(in_, x, a, 1);
  if (operands == Operands::kScalarY) ToFloat(in_, y, b, 1);
  for (int64_t i = 0; i < n; i += kFloatPiece) {
    const int64_t count = std::min(kFloatPiece, n - i);
    if (operands != Operands::kScalarX) ToFloat(in_, x + i * 2, a, count);
    if (operands != Operands::kScalarY) ToFloat(in_, y + i * 2, b, count);
    if (out_ != in_) {
      loop_(a, b, z + i * static_cast<int64_t>(out_size_), count, operands);
      continue;
    }
    float* result = operands == Operands::kScalarX ? b : a;
    loop_(a, b, result, count, operands);
    FromFloat(out_, result, z + i * 2, count);
  }
}

Tensor& BinaryKernel::Output(KernelContext& context, const Shape& shape) const {
  for (const int input : {0, 1}) {
    if (Tensor* output = context.TryForward(input, 0, out_, shape)) return *output;
  }
  return context.AllocateOutput(0, out_, shape);
}

void BinaryKernel::Run(KernelContext& context) {
  const Tensor &x = context.input(0), &y = context.input(1);
  const bool are_numbers = x.elements() == 1 && y.elements() == 1 && x.rank() == y.rank();
  if (one_number.Chosen(are_numbers && !via_float_)) return RunOne(context);
  if (x.shape() == y.shape()) return RunFlat(context, x.shape(), Operands::kBoth);
  Require(!same_shape_, "the operands must have one shape, not ", x.shape().ToString(), " and ", y.shape().ToString());
  if (same_size_) {
    Require(x.elements() == y.elements(),
            "the operands must have as many elements as each other: ", x.shape().ToString(), " against ",
            y.shape().ToString());
    return RunFlat(context, x.shape(), Operands::kBoth);
  }
  if (number_on_the_right.Chosen(y.elements() == 1 && y.rank() <= x.rank())) {
    return RunFlat(context, x.shape(), Operands::kScalarY);
  }
  if (number_on_the_left.Chosen(x.elements() == 1 && x.rank() <= y.rank())) {
    return RunFlat(context, y.shape(), Operands::kScalarX);
  }
  RunBroadcast(context);
}

// A single number against another: what loop counters and step sizes are made of.
void BinaryKernel::RunOne(KernelContext& context) const {
  const void *const x = context.input(0).raw(), *const y = context.input(1).raw();
  Tensor* output = context.TryForward(0, 0, out_, context.input(0).shape());
  if (output == nullptr) output = context.TryForward(1, 0, out_, context.input(1).shape());
  if (output == nullptr) output = &context.AllocateOutput(0, out_, context.input(0).shape());
  loop_(x, y, output->mutable_raw(), 1, Operands::kBoth);
}

// `shape` is a copy: the operand it came from may be forwarded.
void BinaryKernel::RunFlat(KernelContext& context, const Shape& shape, Operands operands) const {
  const char* x = static_cast<const char*>(context.input(0).raw());
  const char* y = static_cast<const char*>(context.input(1).raw());
  const int64_t n = shape.elements();
  char* z = static_cast<char*>(Output(context, shape).mutable_raw());
  const int64_t x_step = operands == Operands::kScalarX ? 0 : static_cast<int64_t>(in_size_);
  const int64_t y_step = operands == Operands::kScalarY ? 0 : static_cast<int64_t>(in_size_);
  context.pool().ParallelFor(n, grain_, [&](int64_t begin, int64_t end) {
    Apply(x + begin * x_step, y + begin * y_step, z + begin * static_cast<int64_t>(out_size_), end - begin, operands);
  });
}

}  // namespace plumb::fast::cpu
