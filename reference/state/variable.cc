#include "reference/state/variable.h"

#include <utility>

#include "reference/numbers/bits.h"
#include "spec/session/saved_numbers.h"

namespace plumb::reference {
namespace {

// Where TensorFlow's kernels let rows begin, in bytes; and the size of its strings.
constexpr int64_t kRowAlignment = 64;
constexpr int64_t kStringBytes = 24;

int64_t BytesOf(DType dtype, int64_t elements) {
  const auto size = static_cast<int64_t>(ElementSize(dtype));
  return elements * (size > 0 ? size : kStringBytes);
}

// Sidecar entries [first, first + count) of elements that have `parts` each.
Sidecar Part(const Sidecar& whole, int64_t first, int64_t count, int64_t parts) {
  if (whole == nullptr || (first == 0 && parts * count == std::ssize(*whole))) return whole;
  const auto begin = whole->begin() + parts * first;
  return std::make_shared<const std::vector<double>>(begin, begin + parts * count);
}

// Elements [first, …) of `from`, as many as `shape` has.
Value Piece(const Value& from, int64_t first, const Shape& shape) {
  const int64_t count = shape.elements(), parts = IsComplex(from.tensor.dtype()) ? 2 : 1;
  Value piece(from.tensor.Reshaped({from.tensor.elements()}).Rows(first, count).Reshaped(shape),
              Part(from.bound, first, count, parts), Part(from.tangent, first, count, parts));
  piece.sharp = from.sharp;
  return piece;
}

}  // namespace

void VariableBuffer::Write(Value value) {
  const Tensor& old = content_.tensor;
  if (value.tensor.dtype() != old.dtype() || value.tensor.elements() != old.elements()) {
    throw Internal("a buffer of ", old.elements(), " ", DTypeName(old.dtype()), " is written with ",
                   value.tensor.elements(), " ", DTypeName(value.tensor.dtype()));
  }
  content_ = Detached(std::move(value));
}

Value Current(Value value) {
  if (value.source == nullptr) return value;
  const Value& content = value.source->content();
  const bool is_retyped = value.tensor.dtype() != content.tensor.dtype();  // Bitcast
  Value now = is_retyped ? BitsAs(content, value.first, value.tensor.dtype(), value.tensor.shape())
                         : Piece(content, value.first, value.tensor.shape());
  now.source = std::move(value.source);
  now.first = value.first;
  return now;
}

Value Detached(Value value) {
  value = Current(std::move(value));
  value.source = nullptr;
  value.first = 0;
  return value;
}

void SaveShape(const StateWriter& writer, std::string_view name, const PartialShape& shape) {
  if (!shape.has_rank()) return;
  const std::vector<int64_t>& dims = shape.dims();
  writer.Put(name, MakeTensor<int64_t>({std::ssize(dims)}, std::span<const int64_t>(dims)));
}

PartialShape RestoredShape(const StateReader& reader, std::string_view name) {
  return reader.Has(name) ? PartialShape(ToInt64s(reader.Get(name))) : PartialShape();
}

void SaveValue(const StateWriter& writer, const Value& value) {
  const Value now = Current(value);
  writer.Put("tensor", now.tensor);
  if (now.sharp) writer.PutScalar<bool>("sharp", true);
  const auto put = [&](std::string_view name, const Sidecar& sidecar) {
    if (sidecar != nullptr) writer.Put(name, MakeTensor<double>({std::ssize(*sidecar)}, std::span(*sidecar)));
  };
  put("bound", now.bound);
  put("tangent", now.tangent);
}

Value RestoredValue(const StateReader& reader) {
  const Tensor& tensor = reader.Get("tensor");
  const int64_t numbers = tensor.elements() * (IsComplex(tensor.dtype()) ? 2 : 1);
  const auto get = [&](std::string_view name) -> Sidecar {
    if (!reader.Has(name)) return nullptr;
    const auto entries = SavedNumbers<double>(reader, name, numbers);
    return std::make_shared<const std::vector<double>>(entries.begin(), entries.end());
  };
  Value value(tensor, get("bound"), get("tangent"));
  value.sharp = reader.Has("sharp") && reader.GetScalar<bool>("sharp");
  return value;
}

Value RowsOf(const Value& value, int64_t first, int64_t count) {
  const int64_t row = value.tensor.dim(0) == 0 ? 0 : value.tensor.elements() / value.tensor.dim(0);
  Value rows = Piece(value, first * row, value.tensor.Rows(first, count).shape());
  rows.source = value.source;
  rows.first = value.first + first * row;
  return rows;
}

bool ForwardsRows(const Tensor& value) {
  if (value.rank() == 0 || value.dim(0) == 0) return false;
  return BytesOf(value.dtype(), value.elements() / value.dim(0)) % kRowAlignment == 0;
}

bool ForwardsSlice(const Tensor& value, int64_t begin, int64_t size) {
  if (value.rank() != 1) return ForwardsRows(value);
  return BytesOf(value.dtype(), begin) % kRowAlignment == 0 && BytesOf(value.dtype(), size) % kRowAlignment == 0;
}

void Relink(Value& value, Copies& copies) { value.source = copies.Of(value.source); }

void Variable::Declare(DType dtype, Shape shape) {
  if (dtype_ != DType::kInvalid) return;
  dtype_ = dtype;
  shape_ = std::move(shape);
}

bool Variable::IsInitialized() const { return buffer_ != nullptr || shape_.elements() == 0; }

Value Variable::Read(std::string_view reader) const {
  if (!IsInitialized()) throw FailedPrecondition("Attempting to use uninitialized value, at node '", reader, "'");
  Tell(VariableWitness::Event::kRead);
  if (buffer_ == nullptr) return Value(Zeros(dtype_, shape_));
  Value alias = Piece(buffer_->content(), 0, shape_);
  alias.source = buffer_;
  return alias;
}

void Variable::Assign(Value value) {
  Tell(VariableWitness::Event::kAssign);
  Write(std::move(value));
}

void Variable::Update(Value value) {
  if (!(value.tensor.shape() == shape_)) throw Internal("an update changes the shape of a variable");
  Tell(VariableWitness::Event::kUpdate);
  Write(std::move(value));
}

void Variable::Write(Value value) {
  ++version_;
  shape_ = value.tensor.shape();
  if (buffer_ != nullptr && buffer_->content().tensor.elements() == shape_.elements()) {
    return buffer_->Write(std::move(value));
  }
  buffer_ = std::make_shared<VariableBuffer>(Detached(std::move(value)));
}

void Variable::Tell(VariableWitness::Event event) const {
  if (witness_ != nullptr) witness_->OnAccess(*this, event, version_);
}

std::shared_ptr<Resource> Variable::Clone(Copies& copies) const {
  auto clone = std::make_shared<Variable>(*this);
  clone->buffer_ = copies.Of(buffer_);
  clone->witness_ = nullptr;
  return clone;
}

namespace {

void RequireType(const Tensor& value, DType dtype) {
  if (value.dtype() == dtype) return;
  throw DataLoss("the saved state of a variable of ", DTypeName(dtype), " has a value of ", DTypeName(value.dtype()));
}

}  // namespace

void Variable::Save(const StateWriter& writer) const {
  writer.PutScalar<int32_t>("dtype", static_cast<int32_t>(dtype_));
  SaveShape(writer, "shape", shape_);
  writer.PutScalar<int64_t>("version", version_);
  if (buffer_ != nullptr) SaveValue(writer.Under("value"), buffer_->content());
}

void Variable::Restore(const StateReader& reader) {
  dtype_ = static_cast<DType>(reader.GetScalar<int32_t>("dtype"));
  shape_ = RestoredShape(reader, "shape").ToShape();
  version_ = reader.GetScalar<int64_t>("version");
  const StateReader value = reader.Under("value");
  if (!value.Has("tensor")) return;
  RequireType(value.Get("tensor"), dtype_);
  buffer_ = std::make_shared<VariableBuffer>(RestoredValue(value));
}

Value HandleVariable::Now(std::string_view reader) const {
  if (!IsInitialized()) throw FailedPrecondition("Attempting to use uninitialized value ", reader);
  return Current(value_);
}

Value HandleVariable::Read(std::string_view reader) const {
  Value now = Now(reader);
  Tell(VariableWitness::Event::kRead);
  return now;
}

Value HandleVariable::ReadSparse(std::string_view reader) {
  Value own = Detached(Now(reader));
  Tell(VariableWitness::Event::kReadSparse);
  value_ = std::move(own);
  copies_ = true;
  return value_;
}

void HandleVariable::Assign(Value value) {
  Tell(VariableWitness::Event::kAssign);
  Write(std::move(value));
}

void HandleVariable::Update(Value value) {
  Tell(VariableWitness::Event::kUpdate);
  Write(Detached(std::move(value)));
}

void HandleVariable::Write(Value value) {
  ++version_;
  dtype_ = value.tensor.dtype();
  value_ = copies_ ? Detached(std::move(value)) : std::move(value);
}

void HandleVariable::Tell(VariableWitness::Event event) const {
  if (witness_ != nullptr) witness_->OnAccess(*this, event, version_);
}

void HandleVariable::Save(const StateWriter& writer) const {
  writer.PutScalar<int32_t>("dtype", static_cast<int32_t>(dtype_));
  writer.PutScalar<bool>("copies", copies_);
  writer.PutScalar<int64_t>("version", version_);
  if (IsInitialized()) SaveValue(writer.Under("value"), value_);
}

void HandleVariable::Restore(const StateReader& reader) {
  dtype_ = static_cast<DType>(reader.GetScalar<int32_t>("dtype"));
  copies_ = reader.GetScalar<bool>("copies");
  version_ = reader.GetScalar<int64_t>("version");
  const StateReader value = reader.Under("value");
  if (!value.Has("tensor")) return;
  RequireType(value.Get("tensor"), dtype_);
  value_ = RestoredValue(value);
}

std::shared_ptr<Resource> HandleVariable::Clone(Copies& copies) const {
  auto clone = std::make_shared<HandleVariable>(*this);
  Relink(clone->value_, copies);
  clone->witness_ = nullptr;
  return clone;
}

}  // namespace plumb::reference
