#include "property-tests/generators/random_control_flow.h"

#include <set>

#include "client/control_flow/cond.h"
#include "client/control_flow/while_loop.h"

namespace plumb::property {
namespace {

constexpr int64_t kSize = 2;  // every value is a vector of two, so that loop variables keep their shape

class Decoder {
 public:
  Decoder(Scope& scope, Tape& tape, const RandomProgramOptions& options)
      : scope_(scope), tape_(tape), options_(options) {}

  RandomProgram Decode() {
    FindStatements();
    std::vector<Output> values;
    for (int i = 1 + tape_.Below(2); i > 0; --i) values.push_back(NewInput());
    Block(values, /*depth=*/0);
    program_.results.push_back(values.back());
    if (tape_.Chance(50)) program_.results.push_back(Any(values));
    return std::move(program_);
  }

 private:
  using Values = std::vector<Output>;
  using Statements = Output (Decoder::*)(const Values& values, int depth);

  // What the backend does not take of such a statement at its simplest.
  std::set<std::string> LackingOf(Statements statement) const {
    Scope scope;
    Tape simplest({});
    Decoder decoder(scope, simplest, options_);
    (decoder.*statement)({decoder.NewInput()}, options_.max_depth - 1);
    return Undeclared(options_.declares, scope.ToGraphDef());
  }

  void FindStatements() {
    std::set<std::string> lacking;
    for (const Statements statement : {&Decoder::Conditional, &Decoder::Loop}) {
      const auto of_this = options_.declares ? LackingOf(statement) : std::set<std::string>();
      if (of_this.empty()) nested_.push_back(statement);
      lacking.insert(of_this.begin(), of_this.end());
    }
    if (nested_.empty()) throw NothingToCompare("conditionals and loops", lacking);
  }

  Output NewInput() {
    const AttrMap attrs = {{"dtype", options_.dtype}, {"shape", PartialShape({kSize})}};
    const Output input = scope_.Call("Placeholder", {}, attrs);
    Tensor value(options_.dtype, {kSize});
    for (int64_t i = 0; i < kSize; ++i) {
      const double number = tape_.Number(/*special=*/false);
      if (options_.dtype == DType::kFloat) value.mutable_data<float>()[i] = static_cast<float>(number);
      if (options_.dtype == DType::kDouble) value.mutable_data<double>()[i] = number;
    }
    program_.inputs.push_back(input);
    program_.feeds.push_back({input.name(), value});
    return input;
  }

  Output Any(const std::vector<Output>& values) { return values[tape_.Below(static_cast<int>(values.size()))]; }

  // Adds one to four values to those that are in sight.
  void Block(std::vector<Output>& values, int depth) {
    for (int i = 1 + tape_.Below(4); i > 0; --i) values.push_back(Statement(values, depth));
  }

  Output Statement(const std::vector<Output>& values, int depth) {
    constexpr int kFunctions = 2;  // so many times as likely as either of the others
    const int kinds = kFunctions + (depth < options_.max_depth ? static_cast<int>(nested_.size()) : 0);
    const int kind = tape_.Below(kinds);
    return kind < kFunctions ? Function(values) : (this->*nested_[kind - kFunctions])(values, depth);
  }

  // A row of the catalogue. Tanh keeps numbers small, so that nothing overflows in nested loops.
  Output Function(const std::vector<Output>& values) {
    const SameShapeRow* const row = AnyDeclaredRow(tape_, options_.dtype, options_.functions, options_.declares);
    if (row == nullptr) throw NothingToCompare("conditionals and loops", {"any op that keeps the shape of its inputs"});
    std::vector<Output> inputs;
    for (int i = 0; i < row->inputs; ++i) inputs.push_back(Any(values));
    return scope_.Call("Tanh", {scope_.Call(row->op->name, inputs, row->attrs)});
  }

  // True or false by the sum of a value, whose distance from zero is far above any rounding.
  Output Predicate(const std::vector<Output>& values) {
    const Output sum = scope_.Call("Sum", {Any(values), Constant<int32_t>(scope_, {0})});
    return sum > (tape_.Chance(50) ? 0.015625 : -3.5);
  }

  Output Conditional(const std::vector<Output>& values, int depth) {
    const auto branch = [&] {
      std::vector<Output> inside = values;
      Block(inside, depth + 1);
      return inside.back();
    };
    const Output predicate = Predicate(values);
    return Cond(scope_, predicate, branch, branch);
  }

  Output Loop(const std::vector<Output>& values, int depth) {
    const Output limit = Constant<int32_t>(scope_, tape_.Below(4));
    WhileOptions options;
    options.parallel_iterations = 1 + tape_.Below(4);
    const LoopVars last = WhileLoop(
        scope_, {Constant<int32_t>(scope_, 0), Any(values)}, [&](const LoopVars& vars) { return vars[0] < limit; },
        [&](const LoopVars& vars) -> LoopVars {
          std::vector<Output> inside = values;
          inside.push_back(vars[1]);
          Block(inside, depth + 1);
          return {vars[0] + 1.0, inside.back()};
        },
        options);
    return last[1];
  }

  Scope& scope_;
  Tape& tape_;
  const RandomProgramOptions options_;
  std::vector<Statements> nested_;  // those that there are
  RandomProgram program_;
};

}  // namespace

RandomProgram RandomControlFlow(Scope& scope, Tape& tape, const RandomProgramOptions& options) {
  return Decoder(scope, tape, options).Decode();
}

}  // namespace plumb::property
