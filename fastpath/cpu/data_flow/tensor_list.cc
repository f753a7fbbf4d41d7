// Tensor lists made, asked, and changed an element at a time. Who alone holds a list changes it in place.
#include "fastpath/cpu/lib/state/tensor_list.h"

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/state/parts.h"
#include "fastpath/cpu/lib/strided_copy.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

int32_t ScalarOf(const Tensor& tensor, std::string_view what) {
  Require(tensor.rank() == 0, what, " must be a scalar, not of shape ", tensor.shape().ToString());
  return tensor.data<int32_t>()[0];
}

// The type of the elements that a node puts into a list, or takes from it.
DType ElementType(const Node& node) { return GetAttr<DType>(node.attrs, "element_dtype"); }

Tensor ZerosOf(ThreadPool& pool, DType dtype, const PartialShape& shape) {
  return AllocateZeros(pool, dtype, DefinedShape(shape));
}

class Create final : public Kernel {
 public:
  Create(const Node& node, bool reserves) : dtype_(ElementType(node)), reserves_(reserves) {}

  void Run(KernelContext& context) override {
    auto list = std::make_shared<TensorList>();
    list->element_dtype = dtype_;
    const int32_t number = ScalarOf(context.input(1), reserves_ ? "num_elements" : "max_num_elements");
    if (reserves_) Require(number >= 0, "a list has no ", number, " elements");
    list->element_shape = ElementShapeOf(context.input(0));
    if (reserves_) {
      Grow(*list, number);
    } else {
      list->max_num_elements = number;
    }
    context.SetOutput(0, AsTensor(std::move(list)));
  }

 private:
  const DType dtype_;
  const bool reserves_;
};

class PushBack final : public Kernel {
 public:
  explicit PushBack(const Node& node) : dtype_(ElementType(node)) {}

  void Run(KernelContext& context) override {
    const TensorList& list = ListInput(context, 0, dtype_);
    RequireFits(list, context.input(1).shape());
    RequireRoom(list);
    context.Unalias(1);
    const auto owned = OwnedList(context, 0);
    owned->elements.push_back(HeldOf(context.input(1)));
    context.SetOutput(0, AsTensor(owned));
  }

 private:
  const DType dtype_;
};

class PopBack final : public Kernel {
 public:
  explicit PopBack(const Node& node) : dtype_(ElementType(node)) {}

  void Run(KernelContext& context) override {
    const TensorList& list = ListInput(context, 0, dtype_);
    Require(!list.elements.empty(), "the list is empty");
    Tensor last = SeenHere(list.elements.back());
    if (!last.IsSet()) last = ZerosOf(context.pool(), dtype_, ElementShapeFor(list, context.input(1)));
    const auto owned = OwnedList(context, 0);
    owned->elements.pop_back();
    context.SetOutput(0, AsTensor(owned));
    context.SetOutput(1, std::move(last));
  }

 private:
  const DType dtype_;
};

class Length final : public Kernel {
 public:
  explicit Length(const Node&) {}
  void Run(KernelContext& context) override {
    const TensorList& list = ListInput(context, 0);
    context.SetOutput(0, MakeScalar(static_cast<int32_t>(list.elements.size())));  // on the host, for whatever device
  }
};

class ElementShape final : public Kernel {
 public:
  explicit ElementShape(const Node& node) : type_(OutputType(node, 0)) {}
  void Run(KernelContext& context) override {
    if (type_ == DType::kInt32) return Write<int32_t>(context);
    Write<int64_t>(context);
  }

 private:
  template <class T>
  void Write(KernelContext& context) const {
    const PartialShape& shape = ListInput(context, 0).element_shape;
    Tensor output(type_, shape.has_rank() ? Shape({shape.rank()}) : Shape());  // on the host, for whatever device
    if (!shape.has_rank()) output.mutable_data<T>()[0] = -1;
    for (int axis = 0; axis < shape.rank(); ++axis) {
      Require(shape.dim(axis) <= std::numeric_limits<T>::max(), "the dimension ", shape.dim(axis),
              " does not fit into ", DTypeName(type_));
      output.mutable_data<T>()[static_cast<size_t>(axis)] = static_cast<T>(shape.dim(axis));
    }
    context.SetOutput(0, std::move(output));
  }

  const DType type_;
};

size_t PositionIn(const TensorList& list, const Tensor& index) {
  const int64_t position = ScalarInt(index, "index");
  Require(position >= 0 && position < static_cast<int64_t>(list.elements.size()), "there is no element ", position,
          " in a list of ", list.elements.size());
  return static_cast<size_t>(position);
}

class GetItem final : public Kernel {
 public:
  explicit GetItem(const Node& node) : dtype_(ElementType(node)) {}

  void Run(KernelContext& context) override {
    const TensorList& list = ListInput(context, 0, dtype_);
    const Tensor& element = list.elements[PositionIn(list, context.input(1))];
    if (element.IsSet()) return context.SetOutput(0, SeenHere(element));
    PartialShape shape = ElementShapeFor(list, context.input(2));
    for (const Tensor& other : list.elements) {
      if (!shape.IsFullyDefined() && other.IsSet()) shape = shape.MergeWith(other.shape());
    }
    context.SetOutput(0, ZerosOf(context.pool(), dtype_, shape));
  }

 private:
  const DType dtype_;
};

class SetItem final : public Kernel {
 public:
  explicit SetItem(const Node& node) : dtype_(ElementType(node)) {}

  void Run(KernelContext& context) override {
    const TensorList& list = ListInput(context, 0, dtype_);
    const Tensor& index = context.input(1);
    Require(index.rank() == 0, "index must be a scalar, not of shape ", index.shape().ToString());
    const size_t position = PositionIn(list, index);
    RequireFits(list, context.input(2).shape());
    context.Unalias(2);
    const auto owned = OwnedList(context, 0);
    owned->elements[position] = HeldOf(context.input(2));
    context.SetOutput(0, AsTensor(owned));
  }

 private:
  const DType dtype_;
};

class Resize final : public Kernel {
 public:
  explicit Resize(const Node&) {}
  void Run(KernelContext& context) override {
    ListInput(context, 0);
    const int32_t size = ScalarOf(context.input(1), "size");
    Require(size >= 0, "a list has no ", size, " elements");
    const auto owned = OwnedList(context, 0, static_cast<size_t>(size));
    Grow(*owned, size);
    context.SetOutput(0, AsTensor(owned));
  }
};

class ConcatLists final : public Kernel {
 public:
  explicit ConcatLists(const Node& node) : dtype_(ElementType(node)) {}

  void Run(KernelContext& context) override {
    const Tensor &a = context.input(0), &b = context.input(1);
    Require(a.shape() == b.shape(), "the lists that are joined must have one shape, not ", a.shape().ToString(),
            " and ", b.shape().ToString());
    Tensor& joined = context.AllocateOutput(0, DType::kVariant, a.shape());
    for (size_t i = 0; i < static_cast<size_t>(a.elements()); ++i) {
      joined.mutable_data<Variant>()[i] = AsVariant(Join(ListIn(a.data<Variant>()[i]), ListIn(b.data<Variant>()[i])));
    }
  }

 private:
  std::shared_ptr<TensorList> Join(const TensorList& a, const TensorList& b) const {
    Require(a.element_dtype == dtype_ && b.element_dtype == dtype_, "lists of ", DTypeName(a.element_dtype), " and of ",
            DTypeName(b.element_dtype), " are joined as lists of ", DTypeName(dtype_));
    Require(a.element_shape == b.element_shape, "lists of elements of the shapes ", a.element_shape.ToString(), " and ",
            b.element_shape.ToString(), " cannot be joined");
    auto list = std::make_shared<TensorList>(a);
    list->elements.insert(list->elements.end(), b.elements.begin(), b.elements.end());
    return list;
  }

  const DType dtype_;
};

// How many elements a list may hold is not asked here.
class PushBackBatch final : public Kernel {
 public:
  explicit PushBackBatch(const Node& node) : dtype_(ElementType(node)) {}

  void Run(KernelContext& context) override {
    const Tensor &lists = context.input(0), &rows = context.input(1);
    Require(lists.rank() == 1 && rows.rank() >= 1 && rows.dim(0) == lists.dim(0), "lists of shape ",
            lists.shape().ToString(), " need as many rows, not a tensor of shape ", rows.shape().ToString());
    const Shape row(rows.shape().dims().subspan(1));
    for (const Variant& element : lists.data<Variant>()) {
      const TensorList& list = ListIn(element);
      Require(list.element_dtype == dtype_, "the list holds ", DTypeName(list.element_dtype), ", not ",
              DTypeName(dtype_));
      RequireFits(list, row);
    }
    Tensor pushed = context.TakeInput(0);
    if (!pushed.unique() || pushed.is_alias()) pushed = pushed.Clone();
    int64_t first = 0;
    for (Variant& list : pushed.mutable_data<Variant>()) {
      Tensor element = Allocate(dtype_, row);
      CopyPart(rows, first, element, 0, row.elements());
      const auto longer = OwnedListIn(list);
      longer->elements.push_back(HeldOf(std::move(element)));
      list = AsVariant(longer);
      first += row.elements();
    }
    context.SetOutput(0, std::move(pushed));
  }

 private:
  const DType dtype_;
};

constexpr KernelRow kRows[] = {
    {"EmptyTensorList", MakeWith<Create, false>},
    {"TensorListReserve", MakeWith<Create, true>},
    {"TensorListPushBack", Make<PushBack>},
    {"TensorListPopBack", Make<PopBack>},
    {"TensorListLength", Make<Length>},
    {"TensorListElementShape", Make<ElementShape>},
    {"TensorListGetItem", Make<GetItem>},
    {"TensorListSetItem", Make<SetItem>},
    {"TensorListResize", Make<Resize>},
    {"TensorListConcatLists", Make<ConcatLists>},
    {"TensorListPushBackBatch", Make<PushBackBatch>},
};

}  // namespace

std::span<const KernelRow> DataFlowTensorList() { return kRows; }

}  // namespace plumb::fast::cpu
