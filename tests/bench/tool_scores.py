"""What counts as right in the measured set of tool calls. Pure functions over raw answers.

A call is compared as BFCL's checker does it: each argument has a list of accepted values, "" among them marks one that
may be absent; strings are compared without case, blanks and ,./-_*^; integers pass for floats, not the other way round;
parallel calls match in any order. Simpler than theirs: where BFCL accepts the name of a variable in place of a value,
any accepted value of its own type passes, and the types of an array's elements follow from equality.
"""
import json
import re

PYTHON_TYPES = {"string": str, "integer": int, "float": float, "boolean": bool, "array": list, "tuple": list,
                "dict": dict, "any": str}
MARKERS = ("<tool_call", "</tool_call", "<tools>", "<function=", "<function_call", "[TOOL_CALLS]", "<|python_tag|>",
           "<|tool_call", "functools[")
CALL_TEXT = re.compile(r'"(?:name|function)"\s*:\s*"[^"]*"\s*,\s*"(?:arguments|parameters)"\s*:')
FENCE = re.compile(r"^\s*```\w*\s*\n?|\n?\s*```\s*$")


def same_string(text):
    return re.sub(r"[ ,./\-_*^]", "", text).lower().replace("'", '"')


def plain(value):
    """A value as it is compared: strings without case and punctuation, also those directly in a list."""
    if isinstance(value, list):
        return [same_string(part) if isinstance(part, str) else part for part in value]
    return same_string(value) if isinstance(value, str) else value


def same(value, accepted):
    """Equal, and a boolean only to a boolean: Python's True == 1."""
    return isinstance(value, bool) == isinstance(accepted, bool) and plain(value) == plain(accepted)


def object_matches(value, accepted):
    """An object against {key: [accepted value, ...]}. Keys that may be absent have "" among their values."""
    if not isinstance(value, dict) or not isinstance(accepted, dict):
        return False
    for key, part in value.items():
        if key not in accepted or not any(same(part, choice) for choice in accepted[key]):
            return False
    return all(key in value or "" in choices for key, choices in accepted.items())


def value_matches(value, type_name, accepted):
    """One argument against its list of accepted values."""
    if type_name == "float" and type(value) is int:
        value = float(value)
    kind = PYTHON_TYPES.get(type_name, str)
    if type(value) is not kind:
        given = [choice for choice in accepted if choice != ""]
        return bool(given) and type(value) is type(given[0]) and any(value == choice for choice in given)
    if kind is dict:
        return any(object_matches(value, choice) for choice in accepted)
    if kind is list and not value and "" in accepted:
        return True  # an empty list is as good as none
    if kind is list and value and all(isinstance(part, dict) for part in value):
        lists = [choice for choice in accepted if isinstance(choice, list) and len(choice) == len(value)]
        return any(all(map(object_matches, value, choice)) for choice in lists)
    return any(same(value, choice) for choice in accepted)


def call_matches(call, expected, functions):
    """A call (name, arguments) against {name: {argument: accepted values}}; `functions`: descriptions by name."""
    (name, accepted), = expected.items()
    called, arguments = call
    if called != name or not isinstance(arguments, dict):
        return False
    parameters = functions[name]["parameters"]
    if any(required not in arguments for required in parameters["required"]):
        return False
    for argument, value in arguments.items():
        if argument not in accepted or argument not in parameters["properties"]:
            return False
        if not value_matches(value, parameters["properties"][argument]["type"], accepted[argument]):
            return False
    return all(argument in arguments or "" in choices for argument, choices in accepted.items())


def calls_match(calls, expected, functions):
    """As many calls as expected, each the match of another one, in any order."""
    rest = list(calls)
    for wanted in expected:
        found = next((call for call in rest if call_matches(call, wanted, functions)), None)
        if found is None:
            return False
        rest.remove(found)
    return not rest


def is_call(value):
    if not isinstance(value, dict):
        return False
    name, arguments = (value.get(a, value.get(b)) for a, b in (("name", "function"), ("arguments", "parameters")))
    return isinstance(name, str) and isinstance(arguments, dict)


def holds_call_object(text):
    for match in re.finditer(r"\{", text):
        try:
            if is_call(json.JSONDecoder().raw_decode(text, match.start())[0]):
                return True
        except ValueError:
            pass
    return False


def call_shaped(text, names):
    """Something in the text that was meant as a call: a family's marker, a call as JSON, whole or not, or NAME(…)."""
    if any(marker in text for marker in MARKERS) or CALL_TEXT.search(text) or holds_call_object(text):
        return True
    return any(re.search(rf"^\s*(?:print\()?\[?{re.escape(name)}\s*\(", text, re.MULTILINE) for name in names)


def is_prose(text, names):
    """Something to read: not empty, no call in it, not one bare JSON object or array."""
    if not text.strip() or call_shaped(text, names):
        return False
    try:
        return not isinstance(json.loads(FENCE.sub("", text)), (dict, list))
    except ValueError:
        return True


def contains(text, spellings):
    """True if the text has one of the values; 44,741,542 has 44741542."""
    text = re.sub(r"(?<=\d)[,\u00a0\u202f'](?=\d{3})", "", text).casefold()
    for spelling in spellings:
        end = "" if "." in spelling else r"(?!\d)"  # decimals may go on, 84.4 stands for 84.43 too
        if re.search(rf"(?<!\d){re.escape(spelling.casefold())}{end}", text):
            return True
    return False


def text_of(message):
    return message.get("content") or ""


def calls_of(message):
    """The calls of an answer as (name, arguments); arguments is None where they are not a JSON object."""
    calls = []
    for call in message.get("tool_calls") or []:
        function = call.get("function") or {}
        try:
            arguments = json.loads(function.get("arguments") or "")
        except (TypeError, ValueError):
            arguments = None
        calls.append((function.get("name") or "", arguments if isinstance(arguments, dict) else None))
    return calls


def well_formed(messages, names):
    calls = [call for message in messages for call in calls_of(message)]
    whole = all(name and arguments is not None for name, arguments in calls)
    return bool(calls_of(messages[0])) and whole and not any(call_shaped(text_of(m), names) for m in messages)


def score(item, messages):
    """The scores of an item: name -> right. `messages`: the answers of its rounds, none where a request failed."""
    if not messages:
        messages = [{}]
    names, first, calls = item.names(), messages[0], [call for message in messages for call in calls_of(message)]
    prose = not calls and is_prose(text_of(first), names)
    if item.kind == "none":
        return {"restraint": prose}
    if item.kind == "result":
        return {"prose": prose, "value": prose and contains(text_of(first), item.value)}
    right = calls_match(calls, item.expected, item.functions)
    if item.kind == "two":
        return {"format": well_formed(messages, names), "two": right}
    (wanted,) = item.expected[0]
    return {"format": well_formed(messages, names), "name": bool(calls) and calls[0][0] == wanted, "arguments": right}
