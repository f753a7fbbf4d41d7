#include "spec/graph/function_library.h"

#include "spec/graph/function_body.h"
#include "spec/graph/function_frames.h"
#include "spec/graph/function_gradient.h"
#include "spec/graph/function_loops.h"
#include "spec/graph/proto_io.h"
#include "spec/ops/catalogue.h"
#include "spec/validate/structure.h"

namespace plumb {
namespace {

// Every argument says its type in one of the ways of rule T1, by attributes that the function has.
void CheckArgument(const OpDef& function, const ArgDef& arg) {
  const auto has = [&](const std::string& name, AttrKind kind, bool is_list) {
    const AttrDef* attr = function.FindAttr(name);
    return attr != nullptr && attr->kind == kind && attr->is_list == is_list;
  };
  const bool listed = !arg.type_list_attr.empty(), by_attr = !arg.type_attr.empty();
  const bool fixed = arg.type != DType::kInvalid;
  Require(listed + by_attr + fixed == 1, "the argument '", arg.name, "' must say its type in one way");
  Require(!listed || has(arg.type_list_attr, AttrKind::kType, true), "the argument '", arg.name,
          "' takes its types from '", arg.type_list_attr, "', which is no attribute of kind list(type)");
  Require(!by_attr || has(arg.type_attr, AttrKind::kType, false), "the argument '", arg.name, "' takes its type from '",
          arg.type_attr, "', which is no attribute of kind type");
  Require(!fixed || (IsValid(arg.type) && !IsRef(arg.type)), "the argument '", arg.name, "' has no valid type");
  Require(arg.number_attr.empty() || (!listed && has(arg.number_attr, AttrKind::kInt, false)), "the argument '",
          arg.name, "' takes its length from '", arg.number_attr, "', which is no attribute of kind int");
}

// A name may have any letters: TensorFlow calls what it traced from a lambda "__inference_<lambda>_12".
void CheckSignature(const OpDef& function) {
  Require(!function.name.empty(), "a function needs a name");
  Require(FindOp(function.name) == nullptr, "an op has this name already");
  for (const ArgDef& arg : function.inputs) CheckArgument(function, arg);
  for (const ArgDef& arg : function.outputs) CheckArgument(function, arg);
}

}  // namespace

std::shared_ptr<const FunctionLibrary> FunctionLibrary::Parse(std::string_view bytes) {
  return std::shared_ptr<const FunctionLibrary>(new FunctionLibrary(ParseFunctionLibrary(bytes)));
}

FunctionLibrary::FunctionLibrary(FunctionLibraryDef def) : gradients_(std::move(def.gradients)) {
  for (FunctionDef& function : def.functions) {
    try {
      CheckSignature(function.signature);
    } catch (const Error& error) {
      throw Error(error.status().WithMessage(Str("function '", function.signature.name, "': ", error.what())));
    }
    std::string name = function.signature.name;
    functions_.emplace(std::move(name), std::move(function));
  }
}

const OpDef* FunctionLibrary::Find(std::string_view name) const {
  const auto found = functions_.find(name);
  return found == functions_.end() ? nullptr : &found->second.signature;
}

const std::string& FunctionLibrary::GradientOf(const std::string& name) const {
  static const std::string none;
  const auto found = gradients_.find(name);
  return found == gradients_.end() ? none : found->second;
}

namespace {

constexpr size_t kMostReferences = size_t{1} << 16;

// How many functions are named, this one counted, as far as `most`. Values share what they name, and a few of them may
// name more than could be written down.
size_t References(const FunctionRef& function, size_t most) {
  size_t count = 1;
  if (function.attrs == nullptr) return count;
  for (const auto& [name, value] : *function.attrs) {
    if (const auto* one = std::get_if<FunctionRef>(&value); one != nullptr && count < most) {
      count += References(*one, most - count);
    }
    if (const auto* all = std::get_if<std::vector<FunctionRef>>(&value)) {
      for (size_t i = 0; i < all->size() && count < most; ++i) count += References((*all)[i], most - count);
    }
  }
  return count;
}

}  // namespace

const FunctionBody& FunctionLibrary::Body(const FunctionRef& function) const {
  if (IsGradient(function)) {
    const FunctionRef& of = Differentiated(function);
    if (const std::string& named = GradientOf(of.name); !named.empty()) return Body({named, of.attrs});
  }
  if (References(function, kMostReferences) >= kMostReferences) {
    throw ResourceExhausted("the function '", function.name, "' is called with attributes that name ", kMostReferences,
                            " functions or more in each other");
  }
  const std::string key = SerializeAttrValue(function);
  {
    MutexLock lock(mutex_);
    const auto found = bodies_.find(key);
    if (found != bodies_.end()) return *found->second;
  }
  std::unique_ptr<const FunctionBody> body = MakeBody(function);  // may ask for other bodies
  MutexLock lock(mutex_);
  return *bodies_.emplace(key, std::move(body)).first->second;
}

std::unique_ptr<const FunctionBody> FunctionLibrary::MakeBody(const FunctionRef& function) const {
  if (IsGradient(function)) return std::make_unique<FunctionBody>(MakeGradientBody(*this, Differentiated(function)));
  if (IsLoopFunction(function)) return std::make_unique<FunctionBody>(MakeLoopFunction(*this, function));
  if (IsFrameFunction(function)) return std::make_unique<FunctionBody>(MakeFrameFunction(*this, function));
  const auto found = functions_.find(function.name);
  if (found == functions_.end()) throw NotFound("the function '", function.name, "' is not in the graph's library");
  return std::make_unique<FunctionBody>(Instantiate(found->second, function.attrs.get(), *this));
}

}  // namespace plumb
