#!/bin/bash
# Everything a GPU can be asked, in one call: parity, compute-sanitizer, benchmark; then a summary.
#   run.sh [--quick] [--only STEP[,STEP]] [--flash FOLDER] [--out FOLDER] [-- options of the benchmark]
# --quick: no sanitizers, a short benchmark. --only: of engines, hashes-cuda, hashes-webgpu, hashes-cpu, parity-cuda, parity-webgpu,
# parity-cpu, native-cuda, bytes, bounded, whole,
# memcheck, racecheck, synccheck, initcheck, memcheck-kept, racecheck-kept, benchmark, grid, grid-webgpu, random,
# scan-cuda, scan-webgpu (the last five only when they are named). Results go to FOLDER (default: results,
# beside this script). --flash: where the Python package flash_kmeans lies, beside which the grid measures.
cd "$(dirname "$0")" || exit 1
here=$PWD
out=$here/results
quick=
only=
flash=
while [ $# -gt 0 ]; do
  case $1 in
    --quick) quick=yes ;;
    --only) shift; only=$1 ;;
    --out) shift; out=$1 ;;
    --flash) shift; flash=$1 ;;
    --) shift; break ;;
    *) echo "run.sh knows --quick, --only STEPS, --flash FOLDER, --out FOLDER and -- options of the benchmark, not $1"; exit 2 ;;
  esac
  shift
done
mkdir -p "$out" && out=$(cd "$out" && pwd) || exit 1

# Libraries of the bundle only where the machine has none of its own.
for name in libtbb.so.12 libgomp.so.1 libvulkan.so.1; do
  ldconfig -p 2>/dev/null | grep -q "$name" && continue
  [ -e "lib/$name" ] && mkdir -p lib/used && ln -sf "../$name" "lib/used/$name"
done
# The second is where containers get the driver's libraries.
export LD_LIBRARY_PATH=$here/lib/used:/usr/local/nvidia/lib64${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
# NVIDIA's Vulkan driver, where nothing describes it to the loader: its EGL library needs no X.
if [ -z "$VK_DRIVER_FILES" ] && ! ls /etc/vulkan/icd.d/*.json /usr/share/vulkan/icd.d/*.json >/dev/null 2>&1; then
  mkdir -p lib
  echo '{"file_format_version":"1.0.0","ICD":{"library_path":"libEGL_nvidia.so.0","api_version":"1.3.0"}}' >lib/nvidia.json
  export VK_DRIVER_FILES=$here/lib/nvidia.json
fi
export CENTROID_LAB_COMMIT=$(cat centroid-lab-gpu-bundle)
summary=()
failed=0

# step NAME COMMAND...: runs it into NAME.log; its last line goes into the summary.
step() {
  local name=$1 began=$SECONDS
  shift
  [[ -z $only || ,$only, == *,$name,* ]] || return
  echo "== $name"
  "$@" >"$out/$name.log" 2>&1
  local status=$? verdict=passed
  [ $status -eq 0 ] || { verdict="FAILED ($status)"; failed=1; tail -n 15 "$out/$name.log"; }
  summary+=("$(printf '%-24s %-12s %5d s  %s' "$name" "$verdict" $((SECONDS - began)) "$(tail -n 1 "$out/$name.log" | cut -c1-100)")")
}

# As the program lists them.
variants=$(bin/node cli.mjs engines --json 2>/dev/null | bin/node -e '
  const { engines } = JSON.parse(require("node:fs").readFileSync(0, "utf8"))
  console.log(engines.find(({ id }) => id === "cuda").variants.map(({ id }) => id).join(" "))')

# sanitize_all TOOL: each variant of the native CUDA tests at small sizes, side by side. Race and barrier checks take minutes for what
# runs in a second: their first launches must do.
sanitize_all() {
  local launches=() status=0
  [ "$1" = racecheck ] && launches=(--launch-count 150)
  [ "$1" = synccheck ] && launches=(--launch-count 300)
  for variant in $variants; do
    compute-sanitizer --tool "$1" --error-exitcode 9 "${launches[@]}" bin/cuda_tests --small "$variant" >"$out/$1-$variant.log" 2>&1 &
  done
  for job in $(jobs -p); do wait "$job" || status=1; done
  grep -H SUMMARY "$out/$1-"*.log
  return $status
}

sanitize() {
  step "$1" sanitize_all "$1"
}

command -v nvidia-smi >/dev/null && nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader
step engines bin/node cli.mjs engines --json
for engine in cuda webgpu cpu; do
  [ -n "$quick" ] && [ $engine = cpu ] && continue
  # Whole runs of `fused` by every regime against hashes of exact arithmetic.
  step "hashes-$engine" bin/node hashes.mjs --engine $engine
  step "parity-$engine" bin/node parity.mjs --engine $engine
done
if [ -x bin/cuda_tests ]; then
  step native-cuda bin/cuda_tests
  # Regimes against `tiled`, and runs with bounds or in one launch against those without: the same bytes.
  step bytes bin/cuda_tests --staged
  step bounded bin/cuda_tests --bounded
  step whole bin/cuda_tests --whole
  if [ -n "$quick" ]; then echo "sanitizers: left out by --quick"
  elif command -v compute-sanitizer >/dev/null; then
    for tool in memcheck racecheck synccheck initcheck; do sanitize $tool; done
    for tool in memcheck racecheck; do
      step $tool-kept compute-sanitizer --tool $tool --error-exitcode 9 bin/cuda_tests --staged --least
    done
  else summary+=("sanitizers               SKIPPED      compute-sanitizer is not on the PATH"); fi
else summary+=("native-cuda              SKIPPED      bin/cuda_tests was not built"); fi
if [ -n "$flash$only" ]; then
  # Cells are made and checked by as many processes as there are cores to spare, and measured in turns.
  jobs=$(($(nproc) * 2 / 3 > 0 ? $(nproc) * 2 / 3 : 1))
  measured=(bin/node bench-grid.mjs --jobs $jobs --repeats 2 --seconds .4)
  step grid "${measured[@]}" --engine cuda --flash "$flash" --kinds normal,skew -d 24,48,12,128,8,64,256,5,784,3,1024,2,1 \
    -k 1000,300,4096,100,32,10,3 --minutes 2.2 -o "$out/grid.json"
  step grid-webgpu "${measured[@]}" --engine cuda,webgpu --no-peers --kinds normal,skew -d 12,24,64,8,256,2,128,5 \
    -k 32,300,1000,3,100 --minutes 1.2 -o "$out/grid-webgpu.json"
  step random "${measured[@]}" --engine cuda,webgpu --flash "$flash" --random 30 --seed "${CENTROID_LAB_SEED:-31}" --minutes .6 \
    -o "$out/random.json"
fi
# scan_on ENGINE: performance.md, section 3: 1M x 8, k = 2..20 of ten restarts; then the exact silhouette of one k of it.
scan_on() {
  local data=$out/scan-1M-8.csv
  [ -e "$data" ] || bin/node cli.mjs generate blobs -n 1000000 -d 8 -k 12 --seed 7 -o "$data" || return
  local scan=(bin/node cli.mjs scan "$data" --engine "$1" --json)
  "${scan[@]}" --k-min 2 --k-max 20 --n-init 10 >"$out/scan-$1.json" || return
  "${scan[@]}" --k-min 12 --k-max 12 --n-init 1 --indices none >"$out/scan-$1-one.json" || return
  "${scan[@]}" --k-min 12 --k-max 12 --n-init 1 --indices silhouette --silhouette exact >"$out/scan-$1-exact.json" || return
  bin/node -e '
    const read = (name) => JSON.parse(require("node:fs").readFileSync(name, "utf8"))
    const [whole, one, exact] = process.argv.slice(1).map(read)
    const runs = whole.rows.reduce((sum, { restarts }) => sum + restarts.length, 0)
    const silhouette = exact.seconds - one.seconds
    console.log(`${whole.device_name}: ${runs} runs, k = 2..20, in ${whole.seconds.toFixed(2)} s, points sent in ${whole.upload_seconds.toFixed(3)} s; exact silhouette ${silhouette.toFixed(2)} s`)
  ' "$out/scan-$1.json" "$out/scan-$1-one.json" "$out/scan-$1-exact.json"
}
if [ -n "$only" ]; then
  for engine in cuda webgpu; do step "scan-$engine" scan_on $engine; done
fi
limits=(); [ -n "$quick" ] && limits=(--seconds 5 --scale 0.1)
step benchmark bin/node bench.mjs --configurations gpu -o "$out/benchmark.json" "${limits[@]}" "$@"
[ -e "$out/benchmark.log" ] && grep -v -e ': verify ' -e ': iterations ' -e ': run ' "$out/benchmark.log"

printf '\n%s\n' "Summary, commit $CENTROID_LAB_COMMIT"
printf '%s\n' "${summary[@]}"
exit $failed
