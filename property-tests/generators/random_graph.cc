#include "property-tests/generators/random_graph.h"

#include <algorithm>
#include <optional>

#include "property-tests/generators/fitting.h"
#include "property-tests/generators/random_tensor.h"
#include "property-tests/generators/rows.h"
#include "spec/graph/builder.h"
#include "spec/graph/text_io.h"

namespace plumb::property {
namespace {

constexpr int64_t kMaxElements = 4096;  // of a value that others are made of, unless large ones are wanted

bool Broadcast(const PartialShape& a, const PartialShape& b) {
  for (int i = 1; i <= std::min(a.rank(), b.rank()); ++i) {
    const int64_t x = a.dim(a.rank() - i), y = b.dim(b.rank() - i);
    if (x != y && x != 1 && y != 1) return false;
  }
  return true;
}

class Decoder {
 public:
  Decoder(Tape& tape, const RandomGraphOptions& options) : tape_(tape), options_(options) {}

  RandomCase Decode() {
    FindSources();
    for (int i = 1 + tape_.Below(3); i > 0; --i) AddSource();
    if (tape_.Chance(options_.percent_large)) AddLarge();
    for (int i = tape_.Below(options_.max_nodes); i > 0; --i) AddStep();
    ChooseFetches();
    FeedSomeValue();
    random_case_.graph = builder_.ToGraphDef();
    return std::move(random_case_);
  }

 private:
  Endpoint Any() { return values_[tape_.Below(static_cast<int>(values_.size()))]; }
  const PartialShape& ShapeOf(Endpoint value) { return builder_.shape(value); }
  int64_t ElementsOf(Endpoint value) { return ShapeOf(value).ToShape().elements(); }

  // A value for which `wanted` holds: the next one from a random start, or none.
  template <class Wanted>
  std::optional<Endpoint> Pick(const Wanted& wanted) {
    const size_t start = static_cast<size_t>(tape_.Below(static_cast<int>(values_.size())));
    for (size_t i = 0; i < values_.size(); ++i) {
      const Endpoint value = values_[(start + i) % values_.size()];
      if (wanted(value)) return value;
    }
    return std::nullopt;
  }

  // --- sources

  // What is fed is fetched through an Identity.
  void FindSources() {
    for (const DType dtype : {DType::kFloat, DType::kFloat, DType::kDouble, DType::kInt32}) {
      if (CanFetch(dtype)) sources_.push_back(dtype);
    }
    if (sources_.empty()) {
      throw NothingToCompare("graphs without cycles", {"Placeholder and Identity of float32, float64 or int32"});
    }
  }

  void AddSource() {
    std::vector<int64_t> dims;
    const DType dtype = sources_[tape_.Below(static_cast<int>(sources_.size()))];
    for (int rank = tape_.Below(4); rank > 0; --rank) dims.push_back(tape_.Below(16) == 15 ? 0 : 1 + tape_.Below(4));
    const Shape shape{std::span<const int64_t>(dims)};
    values_.push_back(Given(RandomTensor(tape_, dtype, shape, options_.special_values)));
  }

  // Cut by the loops of most kernels, and by rows as well as within rows.
  void AddLarge() {
    constexpr int64_t kAbout = 120'000;
    max_elements_ = 2 * kAbout;
    const int64_t rows = tape_.Chance(50) ? 1 + tape_.Below(400) : 1;
    values_.push_back(Given(LargeTensor(tape_, DType::kFloat, {rows, kAbout / rows + 1})));
    for (int i = 2 + tape_.Below(6); i > 0; --i) AddFunction();
  }

  bool CanFeed(DType dtype) const {
    return TakesAll(options_.declares, [&](GraphBuilder& builder) {
      builder.Call("Placeholder", {}, {{"dtype", dtype}});
    });
  }
  bool CanFetch(DType dtype) const {
    return TakesAll(options_.declares, [&](GraphBuilder& builder) {
      builder.Call("Identity", {builder.Call("Placeholder", {}, {{"dtype", dtype}})});
    });
  }

  // A value from outside: fed, or a constant.
  Endpoint Given(const Tensor& tensor) { return tape_.Chance(60) ? Fed(tensor) : Constant(tensor); }

  // Fed where the backend takes no constants.
  Endpoint Constant(const Tensor& tensor) {
    const bool is_taken = TakesAll(options_.declares, [&](GraphBuilder& builder) { builder.Constant(tensor); });
    return is_taken ? builder_.Constant(tensor) : Fed(tensor);
  }

  Endpoint Fed(const Tensor& tensor) {
    const AttrMap attrs = {{"dtype", tensor.dtype()}, {"shape", PartialShape(tensor.shape())}};
    const Endpoint value = builder_.Call("Placeholder", {}, attrs);
    random_case_.feeds.push_back({builder_.graph().NameOf(value), tensor});
    return value;
  }

  // --- nodes

  void AddStep() {
    switch (tape_.Below(8)) {
      case 0:
        return AddSource();
      case 1:
      case 2:
      case 3:
        return AddFunction();
      default:
        return AddRow();
    }
  }

  // A row that keeps type and shape, on a value of the graph.
  void AddFunction() {
    const Endpoint x = Any();
    const DType dtype = builder_.dtype(x);
    const SameShapeRow* const row = AnyDeclaredRow(tape_, dtype, options_.functions, options_.declares);
    if (row == nullptr) return;
    std::vector<Endpoint> inputs = {x};
    if (row->inputs == 2) {
      inputs.push_back(*Pick([&](Endpoint y) {  // x itself, if there is no other
        return builder_.dtype(y) == dtype &&
               (ShapeOf(y) == ShapeOf(x) || (row->broadcasts && Broadcast(ShapeOf(x), ShapeOf(y))));
      }));
      if (tape_.Chance(50)) std::swap(inputs[0], inputs[1]);
    }
    Keep(builder_.Add(row->op->name, inputs, row->attrs));
  }

  // Any row, on inputs as its sample describes them.
  void AddRow() {
    const std::vector<const OpDef*> rows = DeclaredRows();
    if (rows.empty()) return;
    const OpDef& op = *rows[tape_.Below(static_cast<int>(rows.size()))];
    const AttrMap types = RandomTypes(tape_, op, builder_.dtype(Any()));
    const std::optional<SampledCase> sample = RandomCaseOf(tape_, op, types, options_.special_values);
    if (!sample || !CanGive(op, *sample)) return;
    std::vector<Endpoint> inputs;
    const bool writes_text = WritesText(op, sample->attrs);
    for (size_t i = 0; i < sample->inputs.size(); ++i) {
      const Tensor& sampled = sample->inputs[i];
      const bool is_exact = !IsFloating(sampled.dtype()) && !IsComplex(sampled.dtype());
      inputs.push_back(Wired(sampled, writes_text && !is_exact ? Freedom::kThis : sample->freedoms[i]));
    }
    Keep(builder_.Add(op.name, inputs, sample->attrs));
  }

  std::vector<const OpDef*> DeclaredRows() const {
    std::vector<const OpDef*> rows(DrawnRows().begin(), DrawnRows().end());
    std::erase_if(rows, [&](const OpDef* op) { return !Takes(options_.declares, op->name, {}); });
    return rows;
  }

  // Whether the backend takes the op, and what it is sampled with.
  bool CanGive(const OpDef& op, const SampledCase& sample) const {
    return Takes(options_.declares, op.name, sample.attrs) &&
           std::all_of(sample.inputs.begin(), sample.inputs.end(),
                       [&](const Tensor& input) { return CanFeed(input.dtype()); });
  }

  // The text of a number that bounds leave open has no bounds itself: such ops get the numbers that were drawn.
  static bool WritesText(const OpDef& op, const AttrMap& attrs) {
    return std::any_of(op.outputs.begin(), op.outputs.end(), [&](const ArgDef& output) {
      return output.type == DType::kString ||
             (!output.type_attr.empty() && GetAttr<DType>(attrs, output.type_attr) == DType::kString);
    });
  }

  // Something in the place of a sampled input: a value of the graph, where any will do.
  Endpoint Wired(const Tensor& sampled, Freedom freedom) {
    if (freedom == Freedom::kAny && tape_.Chance(80)) {
      const auto fits = Pick([&](Endpoint value) {
        return builder_.dtype(value) == sampled.dtype() && ShapeOf(value) == PartialShape(sampled.shape());
      });
      if (fits) return *fits;
      const Endpoint value = Any();
      if (TakesFitted(options_.declares, builder_.dtype(value), sampled.dtype())) {
        const auto fitted = Fitted(builder_, tape_, value, sampled.dtype(), sampled.shape());
        if (fitted) return *fitted;
      }
    }
    // Numbers from which shapes follow are mostly known before the run.
    return freedom == Freedom::kThis && tape_.Chance(80) ? Constant(sampled) : Given(sampled);
  }

  // Others are made of values whose shape is known and that did not grow too large; the rest may be fetched.
  void Keep(NodeId node) {
    if (tape_.Chance(10)) builder_.AddControlInput(node, Any().node);
    const int outputs = static_cast<int>(builder_.graph().node(node).output_types.size());
    for (int32_t output = 0; output < outputs; ++output) {
      const Endpoint value = {node, output};
      const PartialShape& shape = ShapeOf(value);
      const bool is_usable = shape.IsFullyDefined() && shape.ToShape().elements() <= max_elements_;
      (is_usable ? values_ : leaves_).push_back(value);
    }
  }

  // --- what is asked

  // What is fed cannot be fetched (rule F7), so placeholders are fetched through an Identity.
  std::string Fetchable(Endpoint value) {
    if (builder_.graph().node(value.node).op->kind == OpKind::kPlaceholder) value = builder_.Call("Identity", {value});
    return builder_.graph().NameOf(value);
  }

  Endpoint AnyResult() {
    const int which = tape_.Below(static_cast<int>(values_.size() + leaves_.size()));
    const int values = static_cast<int>(values_.size());
    return which < values ? values_[which] : leaves_[which - values];
  }

  void ChooseFetches() {
    random_case_.fetches.push_back(Fetchable(values_.back()));
    for (int i = tape_.Below(4); i > 0; --i) random_case_.fetches.push_back(Fetchable(AnyResult()));
    for (int i = tape_.Below(3); i > 0; --i) {
      random_case_.targets.push_back(builder_.graph().node(AnyResult().node).name);
    }
  }

  // Feeding cuts the graph: what only led here no longer runs. What is fetched or aimed at is left alone.
  void FeedSomeValue() {
    if (!tape_.Chance(30)) return;
    const Endpoint value = Any();
    const std::string name = builder_.graph().NameOf(value), node = builder_.graph().node(value.node).name;
    const auto names = [](const auto& list, const std::string& wanted) {
      return std::find(list.begin(), list.end(), wanted) != list.end();
    };
    const bool fed = std::any_of(random_case_.feeds.begin(), random_case_.feeds.end(),
                                 [&](const Feed& feed) { return feed.first == name; });
    if (fed || names(random_case_.fetches, name) || names(random_case_.targets, node)) return;
    if (!HasRandomNumbers(builder_.dtype(value)) || ElementsOf(value) > kMaxElements) return;
    const Shape shape = ShapeOf(value).ToShape();
    random_case_.feeds.push_back({name, RandomTensor(tape_, builder_.dtype(value), shape, options_.special_values)});
  }

  Tape& tape_;
  RandomGraphOptions options_;
  GraphBuilder builder_;
  int64_t max_elements_ = kMaxElements;
  std::vector<DType> sources_;
  std::vector<Endpoint> values_, leaves_;
  RandomCase random_case_;
};

}  // namespace

RandomCase RandomAcyclic(Tape& tape, const RandomGraphOptions& options) { return Decoder(tape, options).Decode(); }

std::string Describe(const RandomCase& random_case) {
  std::string text = PrintGraphDefText(random_case.graph);
  for (const auto& [name, value] : random_case.feeds) text += Str("# feed ", name, " = ", value.ToString(16), "\n");
  for (const auto& name : random_case.fetches) text += Str("# fetch ", name, "\n");
  for (const auto& name : random_case.targets) text += Str("# target ", name, "\n");
  return text;
}

}  // namespace plumb::property
