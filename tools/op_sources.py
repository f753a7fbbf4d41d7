"""Where the ops of the catalogue stand in the sources: what where.py prints and check_op_names.py judges by."""
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
SIGNATURE = re.compile(r'\.signature\s*=\s*"(\w+)\(')


def tracked(*patterns):
    """Our files that match; a pattern below a folder that is not there yet matches nothing."""
    patterns = [p for p in patterns if "/" not in p or (ROOT / p.split("*")[0].rsplit("/", 1)[0]).exists()]
    if not patterns:
        return []
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "--", *patterns], cwd=ROOT, text=True,
                            stdout=subprocess.PIPE, check=True).stdout.split()
    return sorted({path for path in listed if (ROOT / path).exists()})


def text_of(path):
    return (ROOT / path).read_text(errors="replace")


def line_of(text, offset):
    return text.count("\n", 0, offset) + 1


# The one place that tells ops without rows apart: which nodes of others stand for one of them.
TAKEN_APART = "spec/graph/fused_nodes.cc"
KNOWN = re.compile(r'^ *\{"(\w+)\(', re.M)


def catalogue():
    """Every op by name: the file of its topic, "array/concat", and the line of its row."""
    ops = {}
    for path in tracked("spec/ops/*/*.cc"):
        if path.endswith("_test.cc"):
            continue
        text = text_of(path)
        for match in SIGNATURE.finditer(text):
            topic = path.removeprefix("spec/ops/").removesuffix(".cc")
            ops[match[1]] = (topic, path, line_of(text, match.start()))
    return ops


def known_ops():
    """Every op that is known by its signature alone (spec/ops/known), as `catalogue` has those with rows; their topic is
    what takes nodes of them apart."""
    return {name: (TAKEN_APART, path, line_of(text_of(path), 0)) for path in tracked("spec/ops/known/*.cc")
            for name in KNOWN.findall(text_of(path))}


def is_topic_file(path, topics):
    """Whether the file is the place of a topic in one of the trees: where its ops may be told apart by name."""
    stem = stem_of(path)
    return path in topics or stem is not None and any(is_of_topic(stem, topic) for topic in topics)


def stem_of(path, trees=("spec/ops/", "reference/ops/", "fastpath/cpu/", "fastpath/gpu/", "fastpath/formulas/")):
    """"array/concat" of fastpath/gpu/array/concat.cu; nothing outside of the trees."""
    tree = next((tree for tree in trees if path.startswith(tree)), None)
    return tree and re.sub(r"(-inl)?\.(cc|h|cu)$", "", path.removeprefix(tree))


def is_of_topic(stem, topic):
    """Whether a file is a topic's: its own, or a part of it such as array/concat_views."""
    return stem == topic or stem.startswith(topic + "_")
