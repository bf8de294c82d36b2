# One read of a file by pandas' C engine: path, delimiter, decimal mark. Prints {"ms", "rows", "peakBytes"}.
import json
import resource
import sys
import time

import pandas

began = time.perf_counter()
frame = pandas.read_csv(sys.argv[1], engine="c", sep=sys.argv[2], decimal=sys.argv[3])
ms = (time.perf_counter() - began) * 1000
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
print(json.dumps({"ms": ms, "rows": len(frame), "peakBytes": peak}))
