#!/usr/bin/env python3
"""record_lists.py OP…: prints the lines that spec/ops/testdata/ holds of these ops, as TensorFlow 2.12 answers, under
the name of each list. To be run with a Python that has tensorflow-cpu==2.12.1 (./dev bench peers installs one), after
./dev build plumb_list_graphs. Of ops without a row it prints the first two lists alone.

signatures and deprecations come from op_def_registry, the registry of gradients and kernels' listing; the others from
graphs that plumb_list_graphs writes, each imported in a process of its own, which it may end.
"""
import collections
import functools
import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
RANKS = 7
SECONDS, BYTES = 60, 16 << 30  # of one graph
OUT_OF_RANGE = "out of range for an int32"

TYPES = {"half": "float16", "float": "float32", "double": "float64"}


def type_name(dtype_name):
    """"float32" of DT_FLOAT, as rows write it."""
    plain = dtype_name.removeprefix("DT_").removesuffix("_REF").lower()
    return TYPES.get(plain, plain)


def argument_text(arg, type_of):
    """An argument of an OpDef: "values: T*N", "ref: ref T", "args: list(Tin)"."""
    of = arg.type_list_attr and f"list({arg.type_list_attr})" or arg.type_attr or type_of(arg.type)
    return f"{arg.name}: {'ref ' if arg.is_ref else ''}{of}{'*' + arg.number_attr if arg.number_attr else ''}"


def shape_text(shape):
    if shape.unknown_rank:
        return "?"
    return "[" + ", ".join("?" if dim.size < 0 else str(dim.size) for dim in shape.dim) + "]"


def value_text(kind, value, type_of):
    """A default, or what a list of allowed values holds."""
    if kind.startswith("list("):
        inner = kind[5:-1]
        values = getattr(value.list, {"string": "s", "int": "i", "float": "f", "bool": "b"}.get(inner, inner))
        return "[" + ", ".join(plain_text(inner, each, type_of) for each in values) + "]"
    field = {"string": "s", "int": "i", "float": "f", "bool": "b"}.get(kind, kind)
    return plain_text(kind, getattr(value, field), type_of)


def plain_text(kind, value, type_of):
    if kind == "string":
        return repr(value.decode())
    if kind == "float":
        return f"{value:.9g}"
    if kind == "bool":
        return "true" if value else "false"
    if kind == "type":
        return type_of(value)
    if kind == "shape":
        return shape_text(value)
    return f"<{kind}>" if kind in ("tensor", "func") else str(value)


def attr_text(attr, type_of):
    """"Tidx: type = int32 in [int32, int64]"."""
    text = f"{attr.name}: {attr.type}"
    if attr.HasField("default_value"):
        text += f" = {value_text(attr.type, attr.default_value, type_of)}"
    if attr.has_minimum:
        text += f" >= {attr.minimum}"
    if attr.HasField("allowed_values"):
        kind = "list(string)" if "string" in attr.type else "list(type)"
        text += f" in {value_text(kind, attr.allowed_values, type_of)}"
    return text


def signature_lines(op_def, gradient, cpu, type_of):
    """The lines of an op in signatures.txt. `cpu`: names of types, by the attribute that kernels on a CPU restrict."""
    inputs, outputs = (", ".join(argument_text(arg, type_of) for arg in args)
                       for args in (op_def.input_arg, op_def.output_arg))
    flags = [word for flag, word in (("is_commutative", "commutative"), ("is_aggregate", "aggregate"),
                                     ("is_stateful", "stateful"),
                                     ("allows_uninitialized_input", "allows-uninitialized-input"))
             if getattr(op_def, flag)]
    yield " ".join([f"{op_def.name}({inputs}) -> ({outputs})", *flags])
    for attr in op_def.attr:
        yield "  " + attr_text(attr, type_of)
    yield f"  gradient: {gradient}"
    if cpu:
        yield "  cpu: " + "; ".join(f"{attr} {' '.join(sorted(cpu[attr]))}" for attr in sorted(cpu))


def words_line(op, attr, refused):
    """A line of refused_attributes.txt: the odd values that are refused."""
    return " ".join([op, attr, *(sorted(refused) or ["-"])])


def merged(constraints):
    """Of the constraints of several kernels, (attribute, types) each, the types that some kernel takes."""
    types = collections.defaultdict(set)
    for attr, names in constraints:
        types[attr].update(names)
    return dict(types)


# --- what TensorFlow says


@functools.cache
def tensorflow():
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"  # its pass over graphs ends the process at what the others refuse
    import tensorflow
    return tensorflow


def dtype_name(number):
    from tensorflow.core.framework import types_pb2
    return type_name(types_pb2.DataType.Name(number))


def answer_in_child(ask):
    """What `ask()` gives, a text, from a process of its own; "" where that dies or takes too long."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
        signal.alarm(SECONDS)
        try:
            os.write(writing, ask().encode(errors="replace"))
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        text = pipe.read().decode(errors="replace")
    os.waitpid(child, 0)
    return text


def graph_of(path):
    from tensorflow.core.framework import graph_pb2
    graph = graph_pb2.GraphDef()
    graph.ParseFromString(pathlib.Path(path).read_bytes())
    return graph


def refusal(graph):
    """Why the graph is not imported, or ""."""
    tf = tensorflow()
    try:
        with tf.compat.v1.Graph().as_default():
            tf.compat.v1.import_graph_def(graph, name="")
    except (ValueError, tf.errors.OpError) as error:
        return str(error) or "refused"
    return ""


def failure(path, steps):
    """"import: …" or "kernel: …" of a graph whose targets run step by step; "-" where nothing fails."""
    tf, graph = tensorflow(), graph_of(path)
    why = refusal(graph)
    if why:
        return f"import: {why}"
    try:
        with tf.compat.v1.Graph().as_default():
            tf.compat.v1.import_graph_def(graph, name="")
            with tf.compat.v1.Session() as session:
                for targets in steps:
                    session.run([session.graph.get_operation_by_name(target) for target in targets])
    except (ValueError, tf.errors.OpError) as error:
        return f"kernel: {error}"
    return "-"


def int32_word(answer):
    """Who refuses 2^31: "import", "kernel", or "-" where nobody does, or for another reason."""
    return answer.partition(":")[0] if OUT_OF_RANGE in answer else "-"


def newest_version(op_def):
    """Of graphs that may hold the op."""
    if op_def.HasField("deprecation"):
        return op_def.deprecation.version - 1
    return tensorflow().version.GRAPH_DEF_VERSION


def refused_ranks(op, path, version):
    """A line of refused_ranks.txt: of each input the ranks that import refuses; "?" where the graph is refused as it
    is."""
    graph = graph_of(path)
    graph.versions.producer = version
    if refusal(graph):
        return f"{op} ?"
    words = [op]
    for node in graph.node[:-1]:
        shape = node.attr["shape"].shape
        refused = []
        for rank in range(RANKS):
            shape.Clear()
            for _ in range(rank):
                shape.dim.add().size = -1
            if refusal(graph):
                refused.append(rank)
        shape.Clear()
        shape.unknown_rank = True
        words.append("".join(map(str, refused)) or "-")
    return " ".join(words)


def recorded_signature(op):
    tensorflow()
    from tensorflow.python.framework import kernels, op_def_registry, ops
    op_def = op_def_registry.get(op)
    if op_def is None:
        return None
    try:
        gradient = "none (blocks)" if ops._gradient_registry.lookup(op) is None else "yes"
    except LookupError:
        gradient = "not registered (an error)"
    constraints = [(each.name, [dtype_name(number) for number in each.allowed_values.list.type])
                   for kernel in kernels.get_registered_kernels_for_op(op).kernel if kernel.device_type == "CPU"
                   for each in kernel.constraint]
    return op_def, gradient, merged(constraints)


def record(ops, graphs):
    """The lines of each list. `graphs`: what plumb_list_graphs printed of the ops."""
    lists = collections.defaultdict(list)
    odd, versions = collections.defaultdict(set), {}
    for op in ops:
        found = recorded_signature(op)
        if found is None:
            print(f"TensorFlow has no op '{op}'", file=sys.stderr)
            continue
        op_def = found[0]
        versions[op] = newest_version(op_def)
        lists["signatures"] += signature_lines(*found, dtype_name)
        if op_def.HasField("deprecation"):
            lists["deprecations"].append(f"{op} {op_def.deprecation.version}")
    for kind, op, *words in (graph for graph in graphs if graph[1] in versions):
        if kind == "ranks":
            path = words[0]
            line = path != "?" and answer_in_child(lambda: refused_ranks(op, path, versions[op]))
            lists["refused_ranks"].append(line or f"{op} ?")
        elif kind == "int32":
            attr, path, *steps = words
            answer = answer_in_child(lambda: failure(path, [step.split(",") for step in steps if step]))
            lists["int32_attributes"].append(f"{op} {attr} {int32_word(answer)}")
        else:
            attr, path, word = words
            refused = odd[op, attr]
            if answer_in_child(lambda: refusal(graph_of(path))):
                refused.add(word)
    lists["refused_attributes"] = [words_line(op, attr, words) for (op, attr), words in odd.items()]
    return lists


def main():
    ops = sys.argv[1:]
    if not ops:
        print(__doc__, file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        written = subprocess.run([ROOT / "build/bin/plumb_list_graphs", folder, *ops], check=True, text=True,
                                 stdout=subprocess.PIPE).stdout
        lists = record(ops, [line.split("\t") for line in written.splitlines()])
    for name in ("signatures", "deprecations", "int32_attributes", "refused_attributes", "refused_ranks"):
        print(f"== spec/ops/testdata/{name}.txt")
        print("\n".join(lists[name]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
