// Tensor lists made of one tensor, and one tensor made of the elements of a list.
#include <algorithm>
#include <limits>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/state/parts.h"
#include "fastpath/cpu/lib/state/tensor_list.h"
#include "fastpath/cpu/lib/strided_copy.h"
#include "fastpath/device/kernel.h"
#include "spec/core/memory.h"

namespace plumb::fast::cpu {
namespace {

Shape WithFront(int64_t front, const Shape& shape) {
  Dims dims;
  dims.Append(front);
  for (const int64_t dim : shape.dims()) dims.Append(dim);
  return dims.ToShape();
}

DType ElementType(const Node& node) { return GetAttr<DType>(node.attrs, "element_dtype"); }

// Writes the parts one after the other; an unset one is `sizes[i]` zeros.
void WriteParts(ThreadPool& pool, const std::vector<Tensor>& parts, const std::vector<int64_t>& sizes, Tensor& whole) {
  std::vector<int64_t> starts;
  int64_t at = 0;
  for (const int64_t size : sizes) {
    starts.push_back(at);
    at += size;
  }
  CopyParts(pool, parts.size(), at, [&](size_t i) {
    if (parts[i].IsSet()) return CopyPart(parts[i], 0, whole, starts[i], sizes[i]);
    Tensor zeros = PartOf(whole, starts[i], sizes[i]);
    FillZero(pool, zeros);
  });
}

// --- from lists -----------------------------------------------------------------------------------------------------

class Stack : public Kernel {
 public:
  explicit Stack(const Node& node)
      : dtype_(ElementType(node)), num_elements_(GetAttrOr(node.attrs, "num_elements", int64_t{-1})) {}

  void Run(KernelContext& context) override {
    const TensorList& list = ListInput(context, 0, dtype_);
    const auto size = static_cast<int64_t>(list.elements.size());
    Require(num_elements_ == -1 || num_elements_ == size, "the list has ", size, " elements, not ", num_elements_);
    std::vector<Tensor> elements;
    for (const Tensor& element : list.elements) elements.push_back(SeenHere(element));
    Write(context, list, elements, ElementShapeFor(list, context.input(1)));
  }

 protected:
  // A list that knows the shape of its elements does not look at theirs.
  void Write(KernelContext& context, const TensorList& list, const std::vector<Tensor>& elements,
             PartialShape known) const {
    Require(!elements.empty() || known.IsFullyDefined(),
            "the stack of no elements needs an element_shape without "
            "open dimensions, not ",
            known.ToString());
    for (const Tensor& element : elements) {
      if (element.IsSet() && !list.element_shape.IsFullyDefined()) known = known.MergeWith(element.shape());
    }
    const Shape shape = DefinedShape(known);
    for (const Tensor& element : elements) {
      Require(!element.IsSet() || element.elements() == shape.elements(), "an element of shape ",
              element.shape().ToString(), " does not fit elements of shape ", shape.ToString());
    }
    Tensor& whole = context.AllocateOutput(0, dtype_, WithFront(static_cast<int64_t>(elements.size()), shape));
    WriteParts(context.pool(), elements, std::vector<int64_t>(elements.size(), shape.elements()), whole);
  }

  const DType dtype_;

 private:
  const int64_t num_elements_;
};

class Gather final : public Stack {
 public:
  using Stack::Stack;

  void Run(KernelContext& context) override {
    const TensorList& list = ListInput(context, 0, dtype_);
    const PartialShape known = ElementShapeFor(list, context.input(2));
    std::vector<Tensor> elements;
    for (const int32_t index : context.input(1).data<int32_t>()) {
      Require(index >= 0 && index < static_cast<int64_t>(list.elements.size()), "there is no element ", index,
              " in a list of ", list.elements.size());
      elements.push_back(SeenHere(list.elements[static_cast<size_t>(index)]));
    }
    Write(context, list, elements, known);
  }
};

class Concat final : public Kernel {
 public:
  explicit Concat(const Node& node)
      : dtype_(ElementType(node)), said_(GetAttrOr(node.attrs, "element_shape", PartialShape())) {
    Require(!said_.has_rank() || said_.rank() >= 1, "the elements that are joined must be vectors at least");
  }

  void Run(KernelContext& context) override {
    const TensorList& list = ListInput(context, 0, dtype_);
    const bool is_first = context.num_inputs() == 1;
    const PartialShape element = is_first ? RowsSaid() : ElementShapeFor(list, context.input(1));
    Require(!element.has_rank() || element.rank() >= 1, "the elements that are joined must be vectors at least");
    const Shape row = DefinedShape(RowShape(list, element));
    const bool is_uniform = list.element_shape.IsFullyDefined();
    Require(!is_first || !is_uniform || SaysRows(), "element_shape ", said_.ToString(),
            " does not say which rows a list of one shape has");
    const Tensor given = is_first ? Zeros(DType::kInt64, Shape({0})) : context.input(2);
    Require(given.rank() <= 1, "leading_dims must be a vector, not of shape ", given.shape().ToString());
    const int64_t common = is_first && is_uniform ? -1 : CommonLength(list, element);
    Tensor lengths(DType::kInt64, {static_cast<int64_t>(list.elements.size())});  // on the host, for whatever device
    std::vector<Tensor> parts;
    std::vector<int64_t> sizes;
    int64_t rows = 0;
    for (size_t i = 0; i < list.elements.size(); ++i) {
      const Tensor& part = list.elements[i];
      int64_t length = common;
      if (part.IsSet()) {
        length = part.dim(0);
      } else if (static_cast<int64_t>(i) < given.elements()) {
        length = given.data<int64_t>()[i];
      }
      Require(length >= 0, "nothing says how many rows element ", i, " has, which has no value yet");
      Require(rows <= std::numeric_limits<int64_t>::max() - length, "the joined elements have too many rows");
      rows += length;
      lengths.mutable_data<int64_t>()[i] = length;
      parts.push_back(SeenHere(part));
      sizes.push_back(length);
    }
    context.SetOutput(1, std::move(lengths));
    Tensor& whole = context.AllocateOutput(0, dtype_, WithFront(rows, row));
    for (int64_t& size : sizes) size *= row.elements();
    WriteParts(context.pool(), parts, sizes, whole);
  }

 private:
  // What the attribute of the first version says: nothing of the first dimension.
  PartialShape RowsSaid() const {
    if (!said_.has_rank()) return said_;
    std::vector<int64_t> dims(said_.dims().begin(), said_.dims().end());
    dims[0] = -1;
    return PartialShape(std::move(dims));
  }
  bool SaysRows() const {
    return said_.has_rank() && std::find(said_.dims().begin() + 1, said_.dims().end(), -1) == said_.dims().end();
  }

  static PartialShape RowShape(const TensorList& list, const PartialShape& element) {
    PartialShape row;
    if (element.has_rank()) row = PartialShape(std::vector<int64_t>(element.dims().begin() + 1, element.dims().end()));
    Require(!list.elements.empty() || row.IsFullyDefined(), "an empty list is joined, and its element_shape ",
            element.ToString(), " leaves more than the first dimension open");
    for (const Tensor& part : list.elements) {
      if (!part.IsSet()) continue;
      Require(part.rank() >= 1, "the elements that are joined must be vectors at least, and one is a scalar");
      // A list that says all of its elements' shape is not asked whether that is so.
      const bool fits = !element.has_rank() || element.dim(0) == -1 || element.dim(0) == part.dim(0) ||
                        list.element_shape.IsFullyDefined();
      Require(fits, "an element of shape ", part.shape().ToString(), " does not fit the element_shape ",
              element.ToString());
      row = row.MergeWith(Shape(part.shape().dims().subspan(1)));
    }
    return row;
  }

  // How many rows elements have where all that is known agrees; else -1.
  static int64_t CommonLength(const TensorList& list, const PartialShape& element) {
    if (element.has_rank() && element.dim(0) >= 0) return element.dim(0);
    int64_t common = -1;
    for (const Tensor& part : list.elements) {
      if (!part.IsSet()) continue;
      if (common != -1 && part.dim(0) != common) return -1;
      common = part.dim(0);
    }
    return common;
  }

  const DType dtype_;
  const PartialShape said_;
};

// --- from tensors ---------------------------------------------------------------------------------------------------

// What a tensor's rows become elements of.
struct Rows {
  explicit Rows(const Tensor& tensor) : whole(tensor) {
    Require(whole.rank() >= 1, "the tensor whose rows become elements must be a vector at least");
    row = Shape(whole.shape().dims().subspan(1));
  }
  int64_t count() const { return whole.dim(0); }
  // All of them, as a list keeps them.
  std::vector<Tensor> Each(ThreadPool& pool) const {
    return Pieces(pool, std::vector<Shape>(static_cast<size_t>(count()), row));
  }
  std::vector<Tensor> Pieces(ThreadPool& pool, const std::vector<Shape>& shapes) const {
    std::vector<Tensor> pieces = CutParts(pool, whole, shapes);
    for (Tensor& piece : pieces) piece = HeldOf(std::move(piece));
    return pieces;
  }

  const Tensor& whole;
  Shape row;
};

// Puts the rows at the indices, which were checked, of a list that is made as long as those ask.
void ScatterRows(ThreadPool& pool, TensorList& list, const Rows& rows, const Tensor& indices) {
  const auto positions = indices.data<int32_t>();
  auto size = static_cast<int64_t>(list.elements.size());
  for (const int32_t position : positions) size = std::max<int64_t>(size, int64_t{position} + 1);
  Grow(list, size);
  std::vector<Tensor> pieces = rows.Each(pool);
  for (size_t i = 0; i < positions.size(); ++i) {
    list.elements[static_cast<size_t>(positions[i])] = std::move(pieces[i]);
  }
}

void CheckIndices(const Rows& rows, const Tensor& indices, int64_t limit) {
  Require(indices.elements() == rows.count(), indices.elements(), " indices do not fit ", rows.count(), " rows");
  for (const int32_t position : indices.data<int32_t>()) {
    Require(position >= 0 && (limit == -1 || position < limit), "there is no element ", position, " in a list of ",
            limit);
  }
}

class FromTensor final : public Kernel {
 public:
  explicit FromTensor(const Node&) {}

  void Run(KernelContext& context) override {
    const Rows rows(context.input(0));
    auto list = std::make_shared<TensorList>();
    list->element_dtype = context.input(0).dtype();
    list->element_shape = ElementShapeOf(context.input(1));
    RequireFits(*list, rows.row);
    RequireMemory(rows.count(), sizeof(Tensor));
    list->elements = rows.Each(context.pool());
    context.SetOutput(0, AsTensor(std::move(list)));
  }
};

class Scatter final : public Kernel {
 public:
  explicit Scatter(const Node&) {}

  void Run(KernelContext& context) override {
    const int64_t size = context.num_inputs() > 3 ? ScalarInt(context.input(3), "num_elements") : -1;
    Require(size >= -1, "a list has no ", size, " elements");
    const Rows rows(context.input(0));
    auto list = std::make_shared<TensorList>();
    list->element_dtype = context.input(0).dtype();
    list->element_shape = ElementShapeOf(context.input(2));
    RequireFits(*list, rows.row);
    CheckIndices(rows, context.input(1), size);
    if (size > 0) Grow(*list, size);
    ScatterRows(context.pool(), *list, rows, context.input(1));
    context.SetOutput(0, AsTensor(std::move(list)));
  }
};

class ScatterIntoExistingList final : public Kernel {
 public:
  explicit ScatterIntoExistingList(const Node& node) : dtype_(ElementType(node)) {}

  void Run(KernelContext& context) override {
    ListInput(context, 0, dtype_);
    const Rows rows(context.input(1));
    const Tensor& indices = context.input(2);
    Require(indices.rank() == 1, "the indices must be a vector, not of shape ", indices.shape().ToString());
    CheckIndices(rows, indices, -1);
    const auto list = OwnedList(context, 0);
    const size_t before = list->elements.size();
    ScatterRows(context.pool(), *list, rows, indices);
    // What TensorFlow adds to reach an index is no element without a value but an empty vector.
    for (size_t i = before; i < list->elements.size(); ++i) {
      if (!list->elements[i].IsSet()) list->elements[i] = HeldOf(Allocate(dtype_, {0}));
    }
    context.SetOutput(0, AsTensor(list));
  }

 private:
  const DType dtype_;
};

class Split final : public Kernel {
 public:
  explicit Split(const Node&) {}

  void Run(KernelContext& context) override {
    const Rows rows(context.input(0));
    const Tensor& lengths = context.input(2);
    auto list = std::make_shared<TensorList>();
    list->element_dtype = context.input(0).dtype();
    list->element_shape = ElementShapeOf(context.input(1));
    CheckRows(list->element_shape, rows.row);
    Require(lengths.rank() == 1, "lengths must be a vector, not of shape ", lengths.shape().ToString());
    int64_t start = 0;
    std::vector<Shape> shapes;
    for (const int64_t length : lengths.data<int64_t>()) {
      Require(length >= 0 && length <= rows.count() - start, "a piece of ", length, " rows does not fit: ", start,
              " of ", rows.count(), " rows are taken");
      shapes.push_back(WithFront(length, rows.row));
      start += length;
    }
    Require(start == rows.count(), "the lengths take ", start, " of ", rows.count(), " rows");
    list->elements = rows.Pieces(context.pool(), shapes);
    context.SetOutput(0, AsTensor(std::move(list)));
  }

 private:
  static void CheckRows(const PartialShape& element, const Shape& row) {
    if (!element.has_rank()) return;
    Require(element.rank() >= 1, "the pieces must be vectors at least, not scalars");
    const PartialShape wanted(std::vector<int64_t>(element.dims().begin() + 1, element.dims().end()));
    Require(wanted.IsCompatibleWith(row), "pieces with rows of shape ", row.ToString(),
            " do not fit a list of elements of shape ", element.ToString());
  }
};

constexpr KernelRow kRows[] = {
    {"TensorListFromTensor", Make<FromTensor>}, {"TensorListStack", Make<Stack>},
    {"TensorListGather", Make<Gather>},         {"TensorListScatter", Make<Scatter>},
    {"TensorListScatterV2", Make<Scatter>},     {"TensorListScatterIntoExistingList", Make<ScatterIntoExistingList>},
    {"TensorListConcat", Make<Concat>},         {"TensorListConcatV2", Make<Concat>},
    {"TensorListSplit", Make<Split>},
};

}  // namespace

std::span<const KernelRow> DataFlowTensorListPack() { return kRows; }

}  // namespace plumb::fast::cpu
