#include "property-tests/concurrent_steps.h"

#include "property-tests/generators/random_tensor.h"
#include "property-tests/generators/updates.h"
#include "spec/graph/builder.h"
#include "spec/graph/text_io.h"
#include "spec/ops/traits.h"

namespace plumb::property {
namespace {

using Kind = Effect::Kind;

constexpr int kMaxEffects = 8;  // of all steps: their orders are searched

class Decoder {
 public:
  explicit Decoder(Tape& tape) : tape_(tape) {}

  ConcurrentCase Decode() {
    for (int i = 1 + tape_.Below(2); i > 0; --i) AddVariable();
    for (int i = 2 + tape_.Below(2); i > 0; --i) AddStep();
    for (const Variable& variable : variables_) AddReader(variable);
    case_.graph = builder_.ToGraphDef();
    return std::move(case_);
  }

 private:
  struct Variable {
    Endpoint handle;
    bool is_ref;
    DType dtype;
    Shape shape;
  };

  std::string NameOf(Endpoint value) { return builder_.graph().NameOf(value); }
  std::string NameOf(NodeId node) { return builder_.graph().node(node).name; }
  int64_t Amount() { return 1 + tape_.Below(9); }

  // A value that is not known before the run, so that large ones are no constants.
  Endpoint Filled(const Variable& variable, int64_t amount) {
    const std::vector<double> number = {static_cast<double>(amount)};
    std::vector<int64_t> dims(variable.shape.dims().begin(), variable.shape.dims().end());
    const int64_t rank = variable.shape.rank();
    const Endpoint scalar = builder_.Constant(TensorOf(DType::kDouble, {}, number));
    const Endpoint value = builder_.Call("Cast", {scalar}, {{"DstT", variable.dtype}});
    return builder_.Call("Fill", {builder_.Constant(MakeTensor<int64_t>({rank}, std::span(dims))), value});
  }

  void AddVariable() {
    constexpr DType kTypes[] = {DType::kInt32, DType::kFloat, DType::kDouble, DType::kInt64};
    constexpr int64_t kLarge = 150'000;
    Variable variable;
    variable.is_ref = tape_.Chance(50);
    variable.dtype = kTypes[tape_.Below(4)];
    variable.shape = tape_.Chance(3) ? Shape({kLarge}) : tape_.Chance(50) ? Shape({1 + tape_.Below(9)}) : Shape();
    AttrMap attrs = {{"dtype", variable.dtype}, {"shape", PartialShape(variable.shape)}};
    if (!variable.is_ref) attrs.emplace("shared_name", Str("variable_", variables_.size()));
    variable.handle = builder_.Call(variable.is_ref ? "VariableV2" : "VarHandleOp", {}, attrs);
    case_.initial.push_back(Amount());
    Effect initial;
    initial.kind = Kind::kAssign;
    initial.amount = case_.initial.back();
    case_.initializers.push_back(NameOf(AddUpdate(variable, initial)));
    variables_.push_back(variable);
  }

  // Any row of this effect, whose amount is negative where the row subtracts.
  NodeId AddUpdate(const Variable& variable, Effect& effect) {
    const UpdateKind kind = effect.kind == Kind::kAssign ? UpdateKind::kSet : UpdateKind::kSum;
    const OpDef& op = AnyUpdate(tape_, variable.is_ref, variable.dtype, UpdatedPart::kWhole, kind);
    const Endpoint value = Filled(variable, effect.amount);
    if (Has(op, Trait::kSubtracts)) effect.amount = -effect.amount;
    AttrMap attrs = Locked(op);
    if (effect.kind == Kind::kAddUnlocked) attrs["use_locking"] = false;
    return builder_.Add(op.name, UpdateInputs(builder_, op, variable.handle, {}, value), attrs);
  }

  Endpoint AddRead(const Variable& variable) {
    return builder_.Call("ReadVariableOp", {variable.handle}, {{"dtype", variable.dtype}});
  }

  void AddReader(const Variable& variable) {
    case_.variables.push_back(NameOf(variable.is_ref ? variable.handle : AddRead(variable)));
  }

  void AddStep() {
    ConcurrentStep step;
    std::vector<NodeId> nodes;
    for (int i = 1 + tape_.Below(4); i > 0 && effects_ < kMaxEffects; --i, ++effects_) {
      Effect effect = AnyEffect(static_cast<int>(nodes.size()));
      const Variable& variable = variables_[effect.variable];
      if (effect.kind == Kind::kRead) {
        const Endpoint read = AddRead(variable);
        step.fetches.push_back(NameOf(read));
        nodes.push_back(read.node);
      } else {
        nodes.push_back(AddUpdate(variable, effect));
      }
      for (const int before : effect.after) builder_.AddControlInput(nodes.back(), nodes[before]);
      step.effects.push_back(effect);
    }
    step.target = NameOf(builder_.Add("NoOp", {}, {}, {.name = "", .device = "", .control_inputs = nodes}));
    case_.steps.push_back(std::move(step));
  }

  // References are not read in steps that race: what a reader sees of a write that no edge orders is open (rule R32).
  // An update without a lock may be torn between elements, so it is for scalars.
  Effect AnyEffect(int number) {
    Effect effect;
    effect.variable = tape_.Below(static_cast<int>(variables_.size()));
    const Variable& variable = variables_[effect.variable];
    effect.amount = Amount();
    switch (tape_.Below(4)) {
      case 0:
        effect.kind = Kind::kAssign;
        break;
      case 1:
        effect.kind = variable.is_ref ? Kind::kAdd : Kind::kRead;
        break;
      default:
        effect.kind = variable.is_ref && variable.shape.rank() == 0 && effects_ < kMaxEffects / 2 && tape_.Chance(50)
                          ? Kind::kAddUnlocked
                          : Kind::kAdd;
    }
    for (int before = 0; before < number; ++before) {
      if (tape_.Chance(60)) effect.after.push_back(before);
    }
    return effect;
  }

  Tape& tape_;
  GraphBuilder builder_;
  std::vector<Variable> variables_;
  int effects_ = 0;
  ConcurrentCase case_;
};

// What happens in one moment. An unlocked update is a load of the variable into a place of its own, and a store of that
// plus the amount.
struct Event {
  enum class Kind { kAssign, kAdd, kLoad, kStore, kRead };
  Kind kind;
  int variable;
  int64_t amount;
  int place;        // of what was read or loaded
  uint32_t before;  // events that come first, one bit each
};

class Search {
 public:
  explicit Search(const ConcurrentCase& concurrent) : initial_(concurrent.initial) {
    for (const ConcurrentStep& step : concurrent.steps) {
      for (const Effect& effect : step.effects) reads_ += effect.kind == Kind::kRead;
    }
    for (const ConcurrentStep& step : concurrent.steps) AddEvents(step);
  }

  std::set<Outcome> Outcomes() {
    State begin{0, std::vector<int64_t>(places_), initial_};
    Visit(begin);
    return std::move(outcomes_);
  }

 private:
  // Which events have happened, what reads and loads gave, what the variables hold.
  struct State {
    uint32_t done;
    std::vector<int64_t> places, values;
    auto operator<=>(const State&) const = default;
  };

  void AddEvents(const ConcurrentStep& step) {
    std::vector<uint32_t> last;  // the bit of each effect's last event
    for (const Effect& effect : step.effects) {
      uint32_t before = 0;
      for (const int each : effect.after) before |= last[each];
      if (effect.kind == Kind::kAddUnlocked) {
        const int place = reads_ + loads_++;
        before = Add({Event::Kind::kLoad, effect.variable, 0, place, before});
        last.push_back(Add({Event::Kind::kStore, effect.variable, effect.amount, place, before}));
        continue;
      }
      const auto kind = effect.kind == Kind::kAssign ? Event::Kind::kAssign
                        : effect.kind == Kind::kAdd  ? Event::Kind::kAdd
                                                     : Event::Kind::kRead;
      const int place = effect.kind == Kind::kRead ? next_read_++ : 0;
      last.push_back(Add({kind, effect.variable, effect.amount, place, before}));
    }
    places_ = reads_ + loads_;
  }

  uint32_t Add(const Event& event) {
    events_.push_back(event);
    return uint32_t{1} << (events_.size() - 1);
  }

  void Visit(const State& state) {
    if (!seen_.insert(state).second) return;
    if (state.done == (uint32_t{1} << events_.size()) - 1) {
      Outcome outcome(state.places.begin(), state.places.begin() + reads_);
      outcome.insert(outcome.end(), state.values.begin(), state.values.end());
      outcomes_.insert(outcome);
      return;
    }
    for (size_t i = 0; i < events_.size(); ++i) {
      const uint32_t bit = uint32_t{1} << i;
      if ((state.done & bit) != 0 || (events_[i].before & ~state.done) != 0) continue;
      State next = state;
      next.done |= bit;
      Happen(events_[i], next);
      Visit(next);
    }
  }

  static void Happen(const Event& event, State& state) {
    int64_t& value = state.values[event.variable];
    switch (event.kind) {
      case Event::Kind::kAssign:
        value = event.amount;
        break;
      case Event::Kind::kAdd:
        value += event.amount;
        break;
      case Event::Kind::kStore:
        value = state.places[event.place] + event.amount;
        state.places[event.place] = 0;  // nobody asks for it again
        break;
      case Event::Kind::kLoad:
      case Event::Kind::kRead:
        state.places[event.place] = value;
    }
  }

  const std::vector<int64_t> initial_;
  std::vector<Event> events_;
  int reads_ = 0, next_read_ = 0, loads_ = 0, places_ = 0;
  std::set<State> seen_;
  std::set<Outcome> outcomes_;
};

}  // namespace

ConcurrentCase RandomConcurrentSteps(Tape& tape) { return Decoder(tape).Decode(); }

std::set<Outcome> AllowedOutcomes(const ConcurrentCase& concurrent) { return Search(concurrent).Outcomes(); }

std::string Describe(const ConcurrentCase& concurrent) {
  std::string text = PrintGraphDefText(concurrent.graph);
  for (const ConcurrentStep& step : concurrent.steps) {
    text += Str("# at once: target ", step.target);
    for (const std::string& fetch : step.fetches) text += Str(", fetch ", fetch);
    text += "\n";
  }
  return text;
}

}  // namespace plumb::property
