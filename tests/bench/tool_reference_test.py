"""Our rule for arguments beside BFCL's own checker, over their answers and thousands of spoilt ones. Fetches their
package (2 MB) into build/bfcl where it is not there; skipped where it cannot be had."""
import json
import pathlib
import subprocess
import sys
import types
import unittest
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import tool_items
import tool_scores


def reference_checker(wheel):
    """BFCL's own checker out of the package, without what it imports for other languages and for names of models."""
    with zipfile.ZipFile(wheel) as archive:
        source = {name: archive.read(f"bfcl_eval/{name}.py").decode() for name in
                  ("eval_checker/ast_eval/ast_checker", "constants/enums", "constants/type_mappings")}
    for name in ("bfcl_eval", "bfcl_eval.constants", "bfcl_eval.eval_checker", "bfcl_eval.eval_checker.ast_eval",
                 "bfcl_eval.eval_checker.ast_eval.type_convertor"):
        sys.modules[name] = types.ModuleType(name)
    for language in ("java", "js"):
        module = types.ModuleType(f"bfcl_eval.eval_checker.ast_eval.type_convertor.{language}_type_converter")
        setattr(module, f"{language}_type_converter", None)
        sys.modules[module.__name__] = module
    config = sys.modules["bfcl_eval.constants.model_config"] = types.ModuleType("bfcl_eval.constants.model_config")
    config.MODEL_CONFIG_MAPPING = {"m": types.SimpleNamespace(underscore_to_dot=True)}
    for name in ("constants/enums", "constants/type_mappings", "eval_checker/ast_eval/ast_checker"):
        module = types.ModuleType("bfcl_eval." + name.replace("/", "."))
        sys.modules[module.__name__] = module
        exec(compile(source[name], name, "exec"), module.__dict__)
    return module.ast_checker, sys.modules["bfcl_eval.constants.enums"].Language.PYTHON


def variants(truth):
    """Calls made of an accepted answer: the answer, with optional arguments left out, and with each argument spoilt."""
    def whole(accepted, keep):
        chosen = {}
        for key, choices in accepted.items():
            given = [choice for choice in choices if choice != ""]
            if given and (keep or "" not in choices):
                chosen[key] = unfold(given[-1], keep)
        return chosen

    def unfold(value, keep):
        if isinstance(value, dict):
            return whole(value, keep)
        return [unfold(part, keep) for part in value] if isinstance(value, list) else value

    for keep in (True, False):
        base = whole(truth, keep)
        yield base
        yield base | {"surprise": 1}
        for key, value in base.items():
            yield {other: part for other, part in base.items() if other != key}
            for spoilt in (str(value).upper(), f"{value}.", 0, 1, True, 2.5, float(value) if type(value) is int else -1,
                           [], {}, None, [value], [value, value], value + value if isinstance(value, list) else ""):
                yield base | {key: spoilt}


def cases(wheel, category):
    """(name of the entry, functions, ground truth, arguments to judge)"""
    entries = tool_items.entries(wheel, f"BFCL_v4_{category}.json")
    for name, answer in tool_items.entries(wheel, f"possible_answer/BFCL_v4_{category}.json").items():
        truth = answer["ground_truth"]
        for arguments in variants(next(iter(truth[0].values()))):
            yield name, entries[name]["function"], truth, arguments


class Reference(unittest.TestCase):
    def test_agrees_with_bfcl(self):
        try:
            wheel = tool_items.package(json.loads((tool_items.HERE / "tool_items.json").read_text())["package"])
        except subprocess.CalledProcessError:
            self.skipTest("SKIPPED: the BFCL package could not be fetched")
        check, python = reference_checker(wheel)
        verdicts, differing = [], []
        for category in ("simple_python", "multiple"):
            for name, functions, truth, arguments in cases(wheel, category):
                (called, accepted), = truth[0].items()
                sent = tool_items.sent_name(called)
                try:
                    theirs = check(functions, [{sent: arguments}], truth, python, category, "m")["valid"]
                except (TypeError, AttributeError, KeyError):
                    continue  # their checker ends on some of the spoilt ones
                described = {tool_items.sent_name(f["name"]): f for f in functions}
                ours = tool_scores.calls_match([(sent, arguments)], [{sent: accepted}], described)
                verdicts.append(theirs)
                if ours != theirs:
                    differing.append((name, arguments, accepted, theirs))
        self.assertGreater(len(verdicts), 10000)
        self.assertGreater(sum(verdicts), 500)
        self.assertEqual(differing[:5], [], f"{len(differing)} of {len(verdicts)}")


if __name__ == "__main__":
    unittest.main(verbosity=2)
