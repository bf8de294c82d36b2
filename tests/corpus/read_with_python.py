"""Reads the corpus with Python's csv module, strictly as it is, and writes its records as JSON.

    python3 tests/corpus/read_with_python.py > tests/corpus/python.json

Records without cells (blank lines) are left out, as everywhere in the program.
"""
import csv
import io
import json
import pathlib
import sys

FOLDER = pathlib.Path(__file__).parent
CODECS = {"utf-8": "utf-8-sig", "utf-16le": "utf-16-le", "utf-16be": "utf-16-be", "latin1": "cp1252"}


def records(case):
    data = (FOLDER / "files" / (case["name"] + ".csv")).read_bytes()
    text = data.decode(CODECS[case["encoding"]]).removeprefix("\ufeff")
    quote = case["quote"]
    quoting = {"quotechar": quote} if quote else {"quoting": csv.QUOTE_NONE}
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=case["delimiter"], **quoting)
    return [cells for cells in reader if cells]


def main():
    cases = json.loads((FOLDER / "cases.json").read_text(encoding="utf-8"))
    lines = [f"{json.dumps(case['name'])}: {json.dumps(records(case))}" for case in cases]
    sys.stdout.write("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
