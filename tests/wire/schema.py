"""Holds messages against JSON Schema files: the part of draft 2020-12 that docs/protocols uses, in plain Python.

A keyword that is not known here is an error when a schema is loaded, so that no schema says more than is checked.
"""

import json
import os
import re

KNOWN = {
    "$schema", "$id", "$ref", "$defs", "title", "description", "examples", "type", "const", "enum", "properties",
    "required", "additionalProperties", "patternProperties", "propertyNames", "minProperties", "maxProperties", "items",
    "prefixItems", "minItems", "maxItems", "uniqueItems", "minimum", "maximum", "minLength", "maxLength", "pattern",
    "oneOf", "anyOf", "allOf", "not", "format",
}
TYPES = {
    "object": lambda v: isinstance(v, dict),
    "array": lambda v: isinstance(v, list),
    "string": lambda v: isinstance(v, str),
    "integer": lambda v: isinstance(v, int) and not isinstance(v, bool),
    "number": lambda v: isinstance(v, (int, float)) and not isinstance(v, bool),
    "boolean": lambda v: isinstance(v, bool),
    "null": lambda v: v is None,
}


class Schemas:
    """All *.json files below a directory, by their path in it."""

    def __init__(self, directory):
        self.files = {}
        for where, _, names in sorted(os.walk(directory)):
            for name in sorted(names):
                if name.endswith(".json"):
                    path = os.path.join(where, name)
                    with open(path, encoding="utf-8") as f:
                        self.files[os.path.relpath(path, directory)] = json.load(f)
        if not self.files:
            raise ValueError("no schemas in " + directory)
        for name, schema in self.files.items():
            self.look_over(name, schema)

    def look_over(self, where, schema):
        """Refuses keywords that are not known and references that lead nowhere."""
        if isinstance(schema, bool):
            return
        unknown = set(schema) - KNOWN
        if unknown:
            raise ValueError("%s: unknown keywords %s" % (where, sorted(unknown)))
        if "$ref" in schema:
            self.find(where.split("#")[0], schema["$ref"])
        for key in ("properties", "patternProperties", "$defs"):
            for name, inner in schema.get(key, {}).items():
                self.look_over("%s#%s" % (where, name), inner)
        for key in ("oneOf", "anyOf", "allOf", "prefixItems"):
            for inner in schema.get(key, []):
                self.look_over(where + "#", inner)
        for key in ("items", "additionalProperties", "propertyNames", "not"):
            if key in schema:
                self.look_over(where + "#", schema[key])

    def find(self, name, reference):
        path, _, pointer = reference.partition("#")
        target = os.path.normpath(os.path.join(os.path.dirname(name), path)) if path else name
        schema = self.files[target]
        for step in pointer.split("/")[1:]:
            schema = schema[step.replace("~1", "/").replace("~0", "~")]
        return target, schema

    def check(self, name, value):
        """None when the value is as the file says, otherwise what is wrong."""
        return self.walk(name, self.files[name], value, "")

    def choose(self, name, schema, value, at):
        """oneOf, anyOf, allOf and not."""
        for inner in schema.get("allOf", []):
            wrong = self.walk(name, inner, value, at)
            if wrong:
                return wrong
        for key in ("oneOf", "anyOf"):
            if key in schema:
                found = [self.walk(name, inner, value, at) for inner in schema[key]]
                fits = found.count(None)
                if fits == 0 or (key == "oneOf" and fits > 1):
                    return "%s: fits %d of %s: %s" % (at or "the value", fits, key, [w for w in found if w])
        if "not" in schema and self.walk(name, schema["not"], value, at) is None:
            return "%s: must not fit" % at
        return None

    def walk(self, name, schema, value, at):
        if isinstance(schema, bool):
            return None if schema else "%s: not allowed" % at
        if "$ref" in schema:
            target, inner = self.find(name, schema["$ref"])
            wrong = self.walk(target, inner, value, at)
            if wrong:
                return wrong
        kinds = schema.get("type", [])
        kinds = [kinds] if isinstance(kinds, str) else kinds
        if kinds and not any(TYPES[kind](value) for kind in kinds):
            return "%s: %r is not %s" % (at or "the value", value, " or ".join(kinds))
        if "const" in schema and (value != schema["const"] or type(value) is not type(schema["const"])):
            return "%s: %r is not %r" % (at, value, schema["const"])
        if "enum" in schema and value not in schema["enum"]:
            return "%s: %r is none of %r" % (at, value, schema["enum"])
        return (self.choose(name, schema, value, at) or self.size(schema, value, at)
                or self.members(name, schema, value, at) or self.list(name, schema, value, at))

    @staticmethod
    def size(schema, value, at):
        if TYPES["number"](value):
            if value < schema.get("minimum", value) or value > schema.get("maximum", value):
                return "%s: %r is out of range" % (at, value)
        if isinstance(value, str):
            if len(value) < schema.get("minLength", 0) or len(value) > schema.get("maxLength", len(value)):
                return "%s: %r is too short or too long" % (at, value)
            if "pattern" in schema and not re.search(schema["pattern"], value):
                return "%s: %r does not look like %s" % (at, value, schema["pattern"])
        return None

    def members(self, name, schema, value, at):
        if not isinstance(value, dict):
            return None
        for key in schema.get("required", []):
            if key not in value:
                return "%s: %r is missing" % (at or "the value", key)
        if len(value) < schema.get("minProperties", 0) or len(value) > schema.get("maxProperties", len(value)):
            return "%s: too few or too many members" % at
        for key, inner in value.items():
            place = at + "." + key
            rules = [schema["properties"][key]] if key in schema.get("properties", {}) else []
            rules += [rule for pattern, rule in schema.get("patternProperties", {}).items() if re.search(pattern, key)]
            if not rules and "additionalProperties" in schema:
                rules = [schema["additionalProperties"]]
            if "propertyNames" in schema:
                wrong = self.walk(name, schema["propertyNames"], key, place)
                if wrong:
                    return wrong
            for rule in rules:
                wrong = self.walk(name, rule, inner, place)
                if wrong:
                    return wrong
        return None

    def list(self, name, schema, value, at):
        if not isinstance(value, list):
            return None
        if len(value) < schema.get("minItems", 0) or len(value) > schema.get("maxItems", len(value)):
            return "%s: %d items" % (at, len(value))
        if schema.get("uniqueItems") and len({json.dumps(v, sort_keys=True) for v in value}) != len(value):
            return "%s: an item is there twice" % at
        prefix = schema.get("prefixItems", [])
        for i, inner in enumerate(value):
            rule = prefix[i] if i < len(prefix) else schema.get("items", True)
            wrong = self.walk(name, rule, inner, "%s[%d]" % (at, i))
            if wrong:
                return wrong
        return None


def load(directory):
    return Schemas(directory)
