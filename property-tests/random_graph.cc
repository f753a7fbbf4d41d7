#include "property-tests/random_graph.h"

#include <algorithm>

#include "spec/graph/builder.h"
#include "spec/graph/text_io.h"

namespace plumb::property {
namespace {

class Decoder {
 public:
  Decoder(Tape& tape, const RandomGraphOptions& options) : tape_(tape), options_(options) {}

  RandomCase Decode() {
    for (int i = 1 + tape_.Below(3); i > 0; --i) AddSource();
    for (int i = tape_.Below(options_.max_nodes); i > 0; --i) AddStep();
    ChooseFetches();
    FeedSomeValue();
    random_case_.graph = builder_.ToGraphDef();
    return std::move(random_case_);
  }

 private:
  Endpoint Any() { return values_[tape_.Below(static_cast<int>(values_.size()))]; }
  const PartialShape& ShapeOf(Endpoint value) { return builder_.shape(value); }

  // A value for which `wanted` holds: the next one from a random start; a fresh source of `dtype` when there is none.
  template <class Wanted>
  Endpoint Pick(const Wanted& wanted) {
    const size_t start = static_cast<size_t>(tape_.Below(static_cast<int>(values_.size())));
    for (size_t i = 0; i < values_.size(); ++i) {
      const Endpoint value = values_[(start + i) % values_.size()];
      if (wanted(value)) return value;
    }
    return {};
  }

  Endpoint PickFloat() {
    const Endpoint value = Pick([&](Endpoint v) { return IsFloating(builder_.dtype(v)); });
    return value.node == NodeId::kNone ? AddSourceOf(DType::kFloat, RandomShape()) : value;
  }

  Shape RandomShape() {
    std::vector<int64_t> dims;
    for (int rank = tape_.Below(4); rank > 0; --rank) dims.push_back(tape_.Below(16) == 15 ? 0 : 1 + tape_.Below(4));
    return Shape(std::span<const int64_t>(dims));
  }

  Tensor RandomTensor(DType dtype, const Shape& shape) {
    Tensor tensor(dtype, shape);
    VisitType(dtype, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      if constexpr (std::is_floating_point_v<T>) {
        for (T& value : tensor.mutable_data<T>()) value = static_cast<T>(tape_.Number(options_.special_values));
      } else if constexpr (std::is_same_v<T, int32_t>) {
        for (T& value : tensor.mutable_data<T>()) value = static_cast<T>(tape_.Below(9)) - 4;
      } else {
        throw Internal("no random values of type ", DTypeName(dtype));
      }
    });
    return tensor;
  }

  void AddSource() {
    constexpr DType kTypes[] = {DType::kFloat, DType::kFloat, DType::kDouble, DType::kInt32};
    AddSourceOf(options_.smooth ? DType::kFloat : kTypes[tape_.Below(4)], RandomShape());
  }

  Endpoint AddSourceOf(DType dtype, const Shape& shape) {
    const Tensor tensor = RandomTensor(dtype, shape);
    Endpoint value;
    if (tape_.Chance(60)) {
      value = builder_.Call("Placeholder", {}, {{"dtype", dtype}, {"shape", PartialShape(shape)}});
      random_case_.feeds.push_back({builder_.graph().NameOf(value), tensor});
    } else {
      value = builder_.Constant(tensor);
    }
    values_.push_back(value);
    return value;
  }

  void AddStep() {
    switch (tape_.Below(options_.smooth ? 6 : 9)) {
      case 0:
        return AddUnary();
      case 1:
        return AddBinary();
      case 2:
        return AddReduction();
      case 3:
        return AddMatMul();
      case 4:
        return AddMovement();
      case 5:
        return AddGrouping();
      case 6:
        return AddSelection();
      case 7:
        return AddSource();
      default:
        return AddInteger();
    }
  }

  void AddUnary() {
    constexpr const char* kSmooth[] = {"Neg", "Tanh", "Sigmoid", "Square", "Exp", "Identity"};
    constexpr const char* kAll[] = {"Neg",  "Tanh", "Sigmoid", "Square", "Exp",   "Identity", "Abs",
                                    "Relu", "Sqrt", "Log",     "Floor",  "Rsqrt", "Log1p"};
    const char* op = options_.smooth ? kSmooth[tape_.Below(std::size(kSmooth))] : kAll[tape_.Below(std::size(kAll))];
    Keep(builder_.Call(op, {PickFloat()}));
  }

  bool Broadcast(const PartialShape& a, const PartialShape& b) {
    for (int i = 1; i <= std::min(a.rank(), b.rank()); ++i) {
      const int64_t x = a.dim(a.rank() - i), y = b.dim(b.rank() - i);
      if (x != y && x != 1 && y != 1) return false;
    }
    return true;
  }

  void AddBinary() {
    constexpr const char* kOps[] = {"Add", "Sub", "Mul", "SquaredDifference", "AddV2", "Maximum", "Minimum", "RealDiv"};
    const Endpoint a = PickFloat();
    const Endpoint b =
        Pick([&](Endpoint v) { return builder_.dtype(v) == builder_.dtype(a) && Broadcast(ShapeOf(a), ShapeOf(v)); });
    Keep(builder_.Call(kOps[tape_.Below(options_.smooth ? 5 : std::size(kOps))], {a, b}));
  }

  Endpoint Ints(const std::vector<int32_t>& values) {
    return builder_.Constant(MakeTensor<int32_t>({static_cast<int64_t>(values.size())}, std::span(values)));
  }

  void AddReduction() {
    constexpr const char* kOps[] = {"Sum", "Mean", "Max", "Min", "Prod"};
    const Endpoint x = PickFloat();
    std::vector<int32_t> axes;
    for (int axis = 0; axis < ShapeOf(x).rank(); ++axis) {
      if (tape_.Chance(50)) axes.push_back(tape_.Chance(50) ? axis : axis - ShapeOf(x).rank());
    }
    Keep(builder_.Call(kOps[tape_.Below(options_.smooth ? 2 : std::size(kOps))], {x, Ints(axes)},
                       {{"keep_dims", tape_.Chance(50)}}));
  }

  void AddMatMul() {
    const Endpoint a = Pick([&](Endpoint v) { return IsFloating(builder_.dtype(v)) && ShapeOf(v).rank() == 2; });
    if (a.node == NodeId::kNone) return;
    const bool ta = tape_.Chance(30), tb = tape_.Chance(30);
    const int64_t inner = ShapeOf(a).dim(ta ? 0 : 1);
    Endpoint b = Pick([&](Endpoint v) {
      return builder_.dtype(v) == builder_.dtype(a) && ShapeOf(v).rank() == 2 && ShapeOf(v).dim(tb ? 1 : 0) == inner;
    });
    if (b.node == NodeId::kNone) {
      const int64_t outer = 1 + tape_.Below(5);
      b = AddSourceOf(builder_.dtype(a), tb ? Shape{outer, inner} : Shape{inner, outer});
    }
    Keep(builder_.Call("MatMul", {a, b}, {{"transpose_a", ta}, {"transpose_b", tb}}));
  }

  void AddMovement() {
    const Endpoint x = Any();
    const PartialShape shape = ShapeOf(x);
    const int rank = shape.rank();
    std::vector<int32_t> perm(rank), begin(rank), size(rank), paddings;
    for (int i = 0; i < rank; ++i) {
      perm[i] = rank - 1 - i;
      begin[i] = tape_.Below(static_cast<int>(shape.dim(i)) + 1);
      size[i] = static_cast<int32_t>(shape.dim(i)) - begin[i];
    }
    switch (tape_.Below(5)) {
      case 0:
        return Keep(builder_.Call("Transpose", {x, Ints(perm)}));
      case 1:
        return Keep(builder_.Call("Reshape", {x, Ints({static_cast<int32_t>(shape.ToShape().elements())})}));
      case 2:
        return Keep(builder_.Call("Slice", {x, Ints(begin), Ints(size)}));
      case 3:
        return Keep(builder_.Call("ExpandDims", {x, builder_.Constant(MakeScalar<int32_t>(tape_.Below(rank + 1)))}));
      default:
        return Keep(builder_.Call(
            "ReverseV2", {x, Ints(rank > 0 ? std::vector<int32_t>{tape_.Below(rank)} : std::vector<int32_t>{})}));
    }
  }

  void AddGrouping() {
    const Endpoint a = Any();
    const Endpoint b =
        Pick([&](Endpoint v) { return builder_.dtype(v) == builder_.dtype(a) && ShapeOf(v) == ShapeOf(a); });
    const int rank = ShapeOf(a).rank();
    switch (tape_.Below(3)) {
      case 0:
        return Keep(builder_.Call("Pack", {a, b}, {{"axis", tape_.Below(rank + 1)}}));
      case 1:
        return Keep(builder_.Call("AddN", {a, b}));
      default:
        if (rank > 0)
          Keep(
              builder_.Call("ConcatV2", {a, b, builder_.Constant(MakeScalar<int32_t>(tape_.Below(rank)))}, {{"N", 2}}));
    }
  }

  void AddSelection() {
    constexpr const char* kComparisons[] = {"Less", "Greater", "LessEqual", "GreaterEqual", "Equal", "NotEqual"};
    const Endpoint a = PickFloat();
    const Endpoint b =
        Pick([&](Endpoint v) { return builder_.dtype(v) == builder_.dtype(a) && ShapeOf(v) == ShapeOf(a); });
    const Endpoint condition = builder_.Call(kComparisons[tape_.Below(std::size(kComparisons))], {a, b});
    Keep(builder_.Call("Select", {condition, a, b}));
  }

  void AddInteger() {
    constexpr const char* kOps[] = {"Add", "Sub", "Mul", "Maximum", "FloorDiv", "FloorMod"};
    const Endpoint a = Pick([&](Endpoint v) { return builder_.dtype(v) == DType::kInt32; });
    if (a.node == NodeId::kNone) return;
    const Endpoint b =
        Pick([&](Endpoint v) { return builder_.dtype(v) == DType::kInt32 && Broadcast(ShapeOf(a), ShapeOf(v)); });
    Keep(builder_.Call(kOps[tape_.Below(std::size(kOps))], {a, b}));
  }

  // Values that grew too large are not built upon.
  void Keep(Endpoint value) {
    constexpr int64_t kMaxElements = 4096;
    const PartialShape& shape = ShapeOf(value);
    if (!shape.IsFullyDefined() || shape.ToShape().elements() > kMaxElements) return;
    if (values_.size() > 1 && tape_.Chance(10))
      builder_.AddControlInput(value.node, values_[tape_.Below(static_cast<int>(values_.size()))].node);
    values_.push_back(value);
  }

  // What is fed cannot be fetched (rule F7), so placeholders are fetched through an Identity.
  std::string Fetchable(Endpoint value) {
    if (builder_.graph().node(value.node).IsOp("Placeholder")) value = builder_.Call("Identity", {value});
    return builder_.graph().NameOf(value);
  }

  void ChooseFetches() {
    random_case_.fetches.push_back(Fetchable(values_.back()));
    for (int i = tape_.Below(4); i > 0; --i) random_case_.fetches.push_back(Fetchable(Any()));
    for (int i = tape_.Below(3); i > 0; --i) random_case_.targets.push_back(builder_.graph().node(Any().node).name);
  }

  // Feeding cuts the graph: what only led here no longer runs. What is fetched or aimed at is left alone.
  void FeedSomeValue() {
    if (options_.smooth || !tape_.Chance(30)) return;
    const Endpoint value = Any();
    const std::string name = builder_.graph().NameOf(value), node = builder_.graph().node(value.node).name;
    const auto names = [](const auto& list, const std::string& wanted) {
      return std::find(list.begin(), list.end(), wanted) != list.end();
    };
    const bool fed = std::any_of(random_case_.feeds.begin(), random_case_.feeds.end(),
                                 [&](const Feed& feed) { return feed.first == name; });
    if (fed || names(random_case_.fetches, name) || names(random_case_.targets, node)) return;
    const DType dtype = builder_.dtype(value);
    if (dtype != DType::kFloat && dtype != DType::kDouble && dtype != DType::kInt32) return;
    random_case_.feeds.push_back({name, RandomTensor(dtype, ShapeOf(value).ToShape())});
  }

  Tape& tape_;
  RandomGraphOptions options_;
  GraphBuilder builder_;
  std::vector<Endpoint> values_;
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
