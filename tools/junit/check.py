#!/usr/bin/env python3
"""Check a JUnit file of `flipside report --format junit` against the schemas of its readers.

    flipside report RUN --format junit --out flipside.xml
    tools/junit/check.py flipside.xml junit-10.xsd JUnit.xsd

`junit-10.xsd` is that of Jenkins's xUnit plugin (jenkinsci/xunit-plugin, src/main/resources/org/jenkinsci/plugins/xunit/types/model/xsd),
`JUnit.xsd` that of Ant's tasks (windyroad/JUnit-Schema). Needs lxml; with junitparser its counts are read back too.
Exits with 1 if a schema refuses the file, with 2 where lxml is missing.
"""

import sys

try:
    from lxml import etree
except ImportError:
    sys.exit("lxml is missing: pip install lxml")


def main(report, schemas):
    tree = etree.parse(report)
    failed = False
    for path in schemas:
        schema = etree.XMLSchema(etree.parse(path))
        held = schema.validate(tree)
        print(f"{path}: {'valid' if held else 'NOT VALID'}")
        for error in schema.error_log:
            print(f"  line {error.line}: {error.message}")
        failed |= not held
    try:
        from junitparser import JUnitXml
    except ImportError:
        return failed
    for suite in JUnitXml.fromfile(report):
        found = list(suite)
        results = [kind for case in found for kind in case.result]
        counted = (suite.tests, suite.failures + suite.errors + suite.skipped)
        same = counted == (len(found), len(results))
        print(f"{suite.name}: {counted[0]} tests, {counted[1]} not passed{'' if same else ', counts DIFFER'}")
        failed |= not same
    return failed


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2:]))
