// Optimizer updates (rules R59–R69): how an optimizer's formula meets its variables, over all elements or over the rows
// that indices name. They are loaded together, updated element by element, and put back.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "reference/kernel/variables.h"
#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"
#include "reference/numbers/stepped.h"

namespace plumb::reference {

// Which inputs of an optimizer op are what: the variable and its slots come first.
struct UpdateInputs {
  int slots;
  int gradient;
  int indices = -1;
  bool refuses_empty_rows = false;  // R68
};

// A scalar input.
template <class N>
N Hyperparameter(const OpContext& context, int input) {
  Require(context.tensor(input).rank() == 0, "input ", input, " must be a scalar, not of shape ",
          context.tensor(input).shape().ToString());
  return LoadScalar<N>(context.input(input));
}

// What the type of a formula holds of a sum or product: beyond its range an infinity, which stays one when a root of it
// is taken.
inline Real Overflowing(const Real& x) {
  const DType type = arithmetic.type;
  const double size = std::fabs(x.v), largest = LargestFinite(type);
  if (!(size + x.e > largest) || std::isinf(x.v)) return x;
  if (size - x.e > largest * (1 + UnitRoundoff(type))) return {std::copysign(INFINITY, x.v), 0, x.d};
  return {x.v, INFINITY, x.d};
}
inline Complex Overflowing(const Complex& x) { return {Overflowing(x.re), Overflowing(x.im)}; }
inline Stepped Overflowing(const Stepped& x) { return x; }  // each step of it has

inline Real Squared(const Real& x) { return Overflowing(x * x); }
inline Stepped Squared(const Stepped& x) { return x * x; }
inline Complex Squared(const Complex& x) {
  const Real product = Overflowing(x.re * x.im);
  return {Squared(x.re) - Squared(x.im), Overflowing(product + product)};
}

// The value behind a ref or a handle. R46: an absent resource variable is kInternal here. R44: rows are the variable's
// own.
inline Value VariableAt(OpContext& context, int input, bool by_rows) {
  if (context.inputs[input].ref != nullptr) return context.ref(input).Read(context.node.name);
  HandleVariable& variable = GetVariable(context, input, Code::kInternal);
  return by_rows ? variable.ReadSparse(context.node.name) : variable.Read(context.node.name);
}
// Which variable that is: inputs with one address are one variable.
inline const void* VariableBehind(OpContext& context, int input) {
  if (context.inputs[input].ref != nullptr) return context.inputs[input].ref.get();
  return &GetVariable(context, input, Code::kInternal);
}
inline void UpdateAt(OpContext& context, int input, Value value) {
  if (context.inputs[input].ref != nullptr) return context.ref(input).Update(std::move(value));
  GetVariable(context, input, Code::kInternal).Update(std::move(value));
}

// One element of the variable and of each slot. R59: where one variable has two roles, both are one number, unless
// handles of a dense form lead to it: then each role is a copy, and the last one is what remains.
template <class N>
struct Slots {
  std::span<N> numbers;           // of each variable
  std::span<const size_t> roles;  // whose variable is which

  N& operator[](size_t role) const { return numbers[roles[role]]; }
};

// Variable and slots as numbers, all of one type and shape.
template <class N>
class SlotArrays {
 public:
  SlotArrays(OpContext& context, int count, bool by_rows) : context_(context) {
    std::vector<const void*> variables;
    for (int i = 0; i < count; ++i) {
      const Value value = VariableAt(context, i, by_rows);
      const void* const variable = VariableBehind(context, i);
      const bool is_shared = by_rows || context.inputs[i].ref != nullptr;
      const auto known = is_shared ? std::find(variables.begin(), variables.end(), variable) : variables.end();
      roles_.push_back(static_cast<size_t>(known - variables.begin()));
      if (known != variables.end()) continue;
      variables.push_back(variable);
      inputs_.push_back(i);
      Require(i == 0 || value.tensor.dtype() == arrays_[0].dtype, "the variable and its slots must have one type");
      arrays_.push_back(Load<N>(value));
      Require(arrays_.back().shape == shape(), "slot ", i, " has the shape ", arrays_.back().shape.ToString(),
              ", the variable ", shape().ToString());
    }
  }
  const Shape& shape() const { return arrays_[0].shape; }
  size_t size() const { return arrays_.size(); }

  // R59: the array of the variable whose buffer is read as the gradient; none of them if there is no such variable.
  size_t Find(const Value& gradient) const {
    for (size_t i = 0; i < arrays_.size(); ++i) {
      const auto& ref = context_.inputs[inputs_[i]].ref;
      if (ref != nullptr && gradient.source != nullptr && ref->Read("").source == gradient.source) return i;
    }
    return arrays_.size();
  }

  // The gradient is one of the arrays (Find), or `gradient`.
  template <class F>
  void Update(int64_t element, N gradient, F& formula, size_t found) {
    std::vector<N>& numbers = scratch_;
    numbers.clear();
    for (const auto& array : arrays_) numbers.push_back(array[element]);
    formula(Slots<N>{numbers, roles_}, found < numbers.size() ? numbers[found] : gradient);
    for (size_t i = 0; i < arrays_.size(); ++i) arrays_[i][element] = numbers[i];
  }
  void PutBack() {
    for (size_t i = 0; i < arrays_.size(); ++i) {
      UpdateAt(context_, inputs_[i], Store(arrays_[i]));
    }
    if (!context_.outputs.empty()) context_.outputs[0] = context_.inputs[0];
  }

 private:
  OpContext& context_;
  std::vector<Array<N>> arrays_;  // of each variable
  std::vector<int> inputs_;       // which handed it in first
  std::vector<size_t> roles_;     // the array of each input
  std::vector<N> scratch_;
};

// Applies make(kind)(slots, gradient) to every element.
template <class... Kinds, class Make>
void UpdateDense(OpContext& context, UpdateInputs inputs, Make make) {
  ForSteppedKind<Kinds...>(context.tensor(inputs.gradient).dtype(), [&](auto kind) {
    using N = typename decltype(kind)::Type;
    SlotArrays<N> slots(context, inputs.slots, /*by_rows=*/false);
    const auto gradient = Load<N>(context.input(inputs.gradient));
    Require(gradient.shape == slots.shape(), "the gradient has the shape ", gradient.shape.ToString(),
            ", the variable ", slots.shape().ToString());
    auto formula = make(kind);
    const size_t own = slots.Find(context.input(inputs.gradient));
    for (int64_t i = 0; i < gradient.shape.elements(); ++i) slots.Update(i, gradient[i], formula, own);
    slots.PutBack();
  });
}

// R68: applies it to the rows that the indices name, one after the other.
template <class... Kinds, class Make>
void UpdateRows(OpContext& context, UpdateInputs inputs, Make make) {
  ForSteppedKind<Kinds...>(context.tensor(inputs.gradient).dtype(), [&](auto kind) {
    using N = typename decltype(kind)::Type;
    SlotArrays<N> slots(context, inputs.slots, /*by_rows=*/true);
    const auto gradient = Load<N>(context.input(inputs.gradient));
    Require(context.tensor(inputs.indices).rank() == 1, "indices must be a vector");
    const auto rows = IntegersOf(context.tensor(inputs.indices), "indices");
    Require(slots.shape().rank() >= 1, "the variable must have at least one dimension");
    const Shape expected = WithDim(slots.shape(), 0, static_cast<int64_t>(rows.size()));
    Require(gradient.shape == expected, "the gradient has the shape ", gradient.shape.ToString(), ", but ", rows.size(),
            " rows have ", expected.ToString());
    auto formula = make(kind);
    const int64_t width = Subshape(slots.shape(), 1, slots.shape().rank()).elements();  // where there is no row, too
    Require(width > 0 || !inputs.refuses_empty_rows, "the rows of a variable of shape ", slots.shape().ToString(),
            " have no elements to update");
    for (size_t i = 0; i < rows.size(); ++i) {
      Require(0 <= rows[i] && rows[i] < slots.shape().dim(0), "index ", rows[i], " at offset ", i,
              " in indices is out of range");  // R69
      for (int64_t j = 0; j < width; ++j) {
        slots.Update(rows[i] * width + j, gradient[static_cast<int64_t>(i) * width + j], formula, slots.size());
      }
    }
    slots.PutBack();
  });
}

}  // namespace plumb::reference
