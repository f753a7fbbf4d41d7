#include "client/named_variable.h"

namespace plumb {

std::string JoinName(const std::string& prefix, const std::string& name) {
  return prefix.empty() ? name : prefix + "/" + name;
}

Variable MakeNamedVariable(Scope& scope, const NamedVariable& wanted) {
  GraphBuilder& builder = scope.builder();
  Require(!builder.graph().Find(wanted.name).has_value(), "there is a variable or a node '", wanted.name,
          "' already; share it, or give the new one another name");
  const GraphBuilder::ContextScope outside(builder, nullptr);
  const GraphBuilder::NoControlScope unordered(builder);
  const auto first_value = [&] {
    const GraphBuilder::NameScope named(builder, wanted.name + "/Initializer", GraphBuilder::ScopeKind::kAbsolute);
    const Initializer initializer = wanted.initializer ? wanted.initializer : GlorotUniform(wanted.seed);
    return initializer(scope, wanted.dtype, wanted.shape);
  };
  const Output initial = first_value();
  const size_t slash = wanted.name.rfind('/');
  const bool at_root = slash == std::string::npos;
  const GraphBuilder::NameScope folder(builder, at_root ? "" : wanted.name.substr(0, slash),
                                       GraphBuilder::ScopeKind::kAbsolute);
  return MakeVariable(scope, initial,
                      {.name = at_root ? wanted.name : wanted.name.substr(slash + 1),
                       .trainable = wanted.trainable,
                       .local = wanted.local,
                       .slice = wanted.slice});
}

}  // namespace plumb
