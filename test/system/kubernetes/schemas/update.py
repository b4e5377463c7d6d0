"""Writes the JSON schemas of the kinds in deploy/helm, without descriptions. Sources, all under Apache License 2.0:

    pip download --no-deps kubernetes-validate==1.37.0   (unpacked: the schemas of Kubernetes)
    go mod download github.com/prometheus-operator/prometheus-operator@v0.92.1 github.com/kedacore/keda/v2@v2.18.1

Usage: update.py KUBERNETES_VALIDATE_FOLDER GO_MODULES_FOLDER, for example with $(go env GOMODCACHE). Needs PyYAML.
"""
import json
import pathlib
import sys

import yaml

# The oldest version that the chart supports.
KUBERNETES = "v1.27.0-local-strict"
KINDS = [
    "deployment-apps-v1",
    "horizontalpodautoscaler-autoscaling-v2",
    "ingress-networking-v1",
    "job-batch-v1",
    "networkpolicy-networking-v1",
    "poddisruptionbudget-policy-v1",
    "service-v1",
    "statefulset-apps-v1",
]
PROMETHEUS = "github.com/prometheus-operator/prometheus-operator@v0.92.1/example/prometheus-operator-crd"
KEDA = "github.com/kedacore/keda/v2@v2.18.1/config/crd/bases"
DEFINITIONS = [
    f"{PROMETHEUS}/monitoring.coreos.com_prometheusrules.yaml",
    f"{PROMETHEUS}/monitoring.coreos.com_servicemonitors.yaml",
    f"{KEDA}/keda.sh_scaledobjects.yaml",
]


def without_descriptions(node):
    if isinstance(node, list):
        return [without_descriptions(each) for each in node]
    if not isinstance(node, dict):
        return node
    return {
        key: without_descriptions(value)
        for key, value in node.items()
        if not (key == "description" and isinstance(value, str)) and not key.startswith("x-kubernetes-")
    }


def strict(node):
    """Rejects unknown properties, like the schemas of Kubernetes."""
    if isinstance(node, list):
        return [strict(each) for each in node]
    if not isinstance(node, dict):
        return node
    result = {key: strict(value) for key, value in node.items()}
    if isinstance(node.get("properties"), dict) and "additionalProperties" not in node:
        if not node.get("x-kubernetes-preserve-unknown-fields"):
            result["additionalProperties"] = False
    return result


def references(node):
    if isinstance(node, list):
        return {each for child in node for each in references(child)}
    if not isinstance(node, dict):
        return set()
    own = {node["$ref"].rsplit("/", 1)[1]} if isinstance(node.get("$ref"), str) else set()
    return own | {each for child in node.values() for each in references(child)}


def local(node):
    if isinstance(node, list):
        return [local(each) for each in node]
    if not isinstance(node, dict):
        return node
    return {
        key: f"#/$defs/{value.rsplit('/', 1)[1]}" if key == "$ref" and isinstance(value, str) else local(value)
        for key, value in node.items()
    }


def write(kind, schema):
    file = pathlib.Path(__file__).parent / f"{kind.lower()}.json"
    file.write_text(json.dumps(schema, sort_keys=True, separators=(",", ":")) + "\n")


kubernetes, modules = map(pathlib.Path, sys.argv[1:])
folder = next(kubernetes.rglob(KUBERNETES))
definitions = json.loads((folder / "_definitions.json").read_text())["$defs"]
for name in KINDS:
    schema = json.loads((folder / f"{name}.json").read_text())
    needed, found = references(schema), set()
    while needed - found:
        found = set(needed)
        needed |= {each for known in found for each in references(definitions[known])}
    schema["$defs"] = {each: definitions[each] for each in needed}
    write(name.split("-")[0], local(without_descriptions(schema)))
for name in DEFINITIONS:
    definition = yaml.safe_load((modules / name).read_text())
    schema = definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
    write(definition["spec"]["names"]["kind"], without_descriptions(strict(schema)))
