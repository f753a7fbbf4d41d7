// Checks of nodes against their ops' signatures: attributes, types and edges (rules A1–A6, T1–T3, G7, G8).
#pragma once

#include "spec/graph/graph.h"

namespace plumb {

struct ArgDef;

// The node that `def` describes, edges left out: its op, attributes with defaults (A1), input and output types (T1,
// T2). Throws kNotFound for an unknown op and for an attribute that is missing and needed for wiring, kInvalidArgument
// for attributes that break A3, naming node and attribute. The op may be a function of `functions`, which may be null.
Node ResolveNode(const NodeDef& def, const FunctionLibrary* functions = nullptr);

// T1, T2: the types of one argument.
std::vector<DType> ExpandTypes(const ArgDef& arg, const AttrMap& attrs);

// How many outputs the nodes of a graph may have together: what length attributes of a hostile graph can make us
// allocate stays in proportion to it.
constexpr size_t MostOutputs(size_t nodes) { return (size_t{1} << 20) + 1000 * nodes; }

// V2: whether a graph of producer version `producer` may contain the node's op. Throws kUnimplemented.
void CheckDeprecation(const Node& node, int producer);

// The node's edges: number of inputs (G8), outputs that exist (G7), types that fit (T3). Other nodes must have types.
void CheckEdges(const Graph& graph, const Node& node);

// T3: whether a value of type `actual` may flow where `expected` is declared.
inline bool MayFlow(DType actual, DType expected) { return actual == expected || Base(actual) == expected; }

}  // namespace plumb
