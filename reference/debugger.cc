#include "reference/debugger.h"

#include <algorithm>
#include <cmath>
#include <istream>
#include <ostream>
#include <sstream>

#include "reference/numbers/numbers_io.h"
#include "spec/ops/op_def.h"

namespace plumb::reference {
namespace {

// The elements of a numeric value as doubles; none of other types.
std::vector<double> NumbersOf(const Value& value) {
  std::vector<double> numbers;
  const DType dtype = value.tensor.dtype();
  if (IsStoredAs<Real>(dtype)) {
    for (const Real& x : Load<Real>(value).at) numbers.push_back(x.v);
  } else if (IsStoredAs<Integer>(dtype)) {
    for (const Integer x : Load<Integer>(value).at) numbers.push_back(static_cast<double>(x));
  } else if (IsStoredAs<Complex>(dtype)) {
    for (const Complex& x : Load<Complex>(value).at) numbers.insert(numbers.end(), {x.re.v, x.im.v});
  }
  return numbers;
}

std::string Statistics(const std::vector<double>& numbers) {
  double sum = 0, squares = 0, low = INFINITY, high = -INFINITY;
  int64_t finite = 0, zeros = 0, nans = 0, infinities = 0;
  for (const double x : numbers) {
    nans += std::isnan(x);
    infinities += std::isinf(x);
    if (!std::isfinite(x)) continue;
    ++finite;
    zeros += x == 0;
    sum += x;
    squares += x * x;
    low = std::min(low, x);
    high = std::max(high, x);
  }
  if (finite == 0) return Str("no finite elements, ", nans, " NaN, ", infinities, " infinite");
  const double n = static_cast<double>(finite), mean = sum / n;
  return Str("min ", low, ", max ", high, ", mean ", mean, ", deviation ",
             std::sqrt(std::max(0.0, squares / n - mean * mean)), ", ", zeros, " zero, ", nans, " NaN, ", infinities,
             " infinite");
}

bool Has(const std::vector<double>& numbers, bool (*property)(double)) {
  return std::any_of(numbers.begin(), numbers.end(), property);
}
bool IsNanNumber(double x) { return std::isnan(x); }
bool IsInfinite(double x) { return std::isinf(x); }

Value ValueOf(const Item& item) {
  return item.ref != nullptr && item.ref->IsInitialized() ? item.ref->Read("") : Current(item.value);
}

// "iteration 3 of while, iteration 0 of the root".
std::string PlaceOf(const NodeRun& run) {
  std::string place;
  FrameId id = run.frame;
  int64_t iteration = run.iteration;
  while (id != kRootFrame) {
    const Frame& frame = run.configuration.frames.at(id);
    place += Str("iteration ", iteration, " of ", frame.name, ", in ");
    id = frame.parent;
    iteration = frame.parent_iteration;
  }
  return place + "the root frame";
}

std::string NameOf(const NodeRun& run) {
  if (run.step_node.rule == Rule::kFeed) return Str("feed of ", run.node.name, ":", run.step_node.port);
  if (run.step_node.rule == Rule::kFetch) return Str("fetch of ", run.node.name, ":", run.step_node.port);
  return run.node.name;
}

// Feeds speak for the node that they stand for.
std::string KeyOf(const NodeRun& run) { return run.step_node.rule == Rule::kFetch ? NameOf(run) : run.node.name; }

}  // namespace

std::string Describe(const Value& value) {
  if (!value.tensor.IsSet()) return "not initialised";
  std::string text = value.tensor.ToString(16);
  const std::vector<double> numbers = NumbersOf(value);
  if (!numbers.empty()) text += "\n  " + Statistics(numbers);
  if (value.bound != nullptr) {
    text += Str("\n  computed to within ", *std::max_element(value.bound->begin(), value.bound->end()));
  }
  return text;
}

Status Debugger::Run(ReferenceSession& session, std::span<const ValueFeed> feeds, std::span<const std::string> fetches,
                     std::span<const std::string> targets) {
  Mode mode;
  mode.bounds = true;
  mode.observer = [this](const NodeRun& run) { AfterNode(run); };
  std::vector<Value> outputs;
  Status status;
  out_ << "stopped before the first node; 'help' lists the commands\n";
  quit_ = false;
  try {
    ReadCommands();
    status = session.RunValues(feeds, fetches, targets, &outputs, mode);
  } catch (const Error& quit) {
    status = quit.status();
  }
  if (quit_) return status;
  out_ << "the step is over: " << status.ToString() << "\n";
  for (size_t i = 0; i < outputs.size(); ++i) out_ << fetches[i] << " = " << Describe(outputs[i]) << "\n";
  over_ = true;
  try {
    ReadCommands();
  } catch (const Error& quit) {
    out_ << quit.what() << "\n";
  }
  return status;
}

void Debugger::AfterNode(const NodeRun& run) {
  const std::string name = NameOf(run);
  std::vector<Token> outputs(run.outputs.begin(), run.outputs.end());
  for (Token& token : outputs) token.item = Item{ValueOf(token.item), nullptr};
  seen_[KeyOf(run)] = {PlaceOf(run), std::move(outputs)};
  latest_ = Str(name, " (", run.node.op->name, ")", run.dead ? ", dead" : "", ", ", PlaceOf(run));
  if (!StopsAt(run, name)) return;
  out_ << "ran " << latest_ << "\n";
  ReadCommands();
}

bool Debugger::StopsAt(const NodeRun& run, const std::string& name) {
  if (nodes_to_run_ > 0) --nodes_to_run_;
  bool stop = nodes_to_run_ == 0 || name == run_to_ || breaks_.contains(name);
  for (const Token& token : run.outputs) {
    if (token.dead) {
      stop |= breaks_.contains("dead");
      continue;
    }
    if (!breaks_.contains("nan") && !breaks_.contains("inf")) continue;
    const Value value = ValueOf(token.item);
    if (!value.tensor.IsSet()) continue;
    const std::vector<double> numbers = NumbersOf(value);
    stop |=
        (breaks_.contains("nan") && Has(numbers, IsNanNumber)) || (breaks_.contains("inf") && Has(numbers, IsInfinite));
  }
  return stop;
}

void Debugger::ReadCommands() {
  std::string line;
  while (true) {
    out_ << prompt_ << std::flush;
    if (!std::getline(in_, line)) break;
    if (Do(line)) return;
  }
  nodes_to_run_ = -1;
  run_to_.clear();
  breaks_.clear();
}

bool Debugger::Do(const std::string& line) {
  std::istringstream words(line);
  std::string command, argument;
  words >> command >> argument;
  const bool goes_on = command == "next" || command == "n" || command == "run" || command == "r" ||
                       command == "continue" || command == "c";
  if (goes_on && over_) {
    out_ << "the step is over\n";
    return false;
  }
  if (goes_on) {
    const bool next = command[0] == 'n';
    nodes_to_run_ = !next ? -1 : std::max<int64_t>(1, argument.empty() ? 1 : std::atoll(argument.c_str()));
    run_to_ = command[0] == 'r' ? argument : "";
    return true;
  }
  if (command == "quit" || command == "q") {
    quit_ = true;
    throw Cancelled("the step was quit");
  }
  if (command == "break" || command == "b")
    Break(argument);
  else if (command == "print" || command == "p")
    Print(argument);
  else if (command == "where" || command == "w")
    Where();
  else if (command == "help" || command == "h")
    Help();
  else if (!command.empty())
    out_ << "no command is called '" << command << "'; 'help' lists them\n";
  return false;
}

void Debugger::Break(const std::string& what) {
  if (!what.empty() && !breaks_.erase(what)) breaks_.insert(what);
  out_ << "breaks:";
  for (const std::string& name : breaks_) out_ << " " << name;
  out_ << "\n";
}

void Debugger::Print(const std::string& text) {
  try {
    const TensorName name = ParseTensorName(text);
    const auto found = seen_.find(name.node);
    if (found == seen_.end()) throw NotFound("'", name.node, "' has not run in this step");
    const std::vector<Token>& outputs = found->second.outputs;
    Require(name.output < static_cast<int>(outputs.size()), "'", name.node, "' has ", outputs.size(), " outputs");
    const Token& token = outputs[name.output];
    out_ << name.ToString() << " in " << found->second.place << " = "
         << (token.dead ? "dead" : Describe(token.item.value)) << "\n";
  } catch (const Error& error) {
    out_ << error.what() << "\n";
  }
}

void Debugger::Where() { out_ << (latest_.empty() ? "before the first node" : "after " + latest_) << "\n"; }

void Debugger::Help() {
  out_ << "next [N]       run one node, or N\n"
          "run NODE       run until NODE has run\n"
          "continue       run until a break, or to the end\n"
          "break WHAT     stop at a node, or at 'nan', 'inf' or 'dead'; the same again takes it back\n"
          "print TENSOR   the latest value of NODE or NODE:OUTPUT, with statistics\n"
          "where          the node that ran last, its frame and iteration\n"
          "quit           give up the step\n"
          "The first letter of a command is enough. The end of the input continues to the end.\n";
}

}  // namespace plumb::reference
