import { sumFromWords } from './fixed-point'
import type { GpuDevice } from './gpu-device'
import { stampBytes, type Resources } from './resources'
import type { BatchResult, Phase, SlotResult, Wanted } from './runner'

const noSums = new Float64Array(0)

/** Brings the rings and the time stamps of a submit back to the host. */
export class ReadBack {
  readonly #device: GPUDevice
  readonly #resources: Resources
  readonly #wantSums: boolean
  readonly #querySet: GPUQuerySet | null
  readonly #stamps: GPUBuffer | null
  #turn = 0
  /** Where results are copied to, by turns: fresh memory for every submit costs more than the iterations. */
  readonly #copies = [new ArrayBuffer(0), new ArrayBuffer(0)]

  constructor(gpu: GpuDevice, resources: Resources, want: Pick<Wanted, 'sums' | 'stamps'>) {
    const { device } = gpu
    const stamped = want.stamps && gpu.hasTimestamps
    const usage = GPUBufferUsage.QUERY_RESOLVE | GPUBufferUsage.COPY_SRC
    this.#device = device
    this.#resources = resources
    this.#wantSums = want.sums
    this.#querySet = stamped ? gpu.createQuerySet({ type: 'timestamp', count: 4 }) : null
    this.#stamps = stamped ? gpu.createBuffer({ size: stampBytes, usage }) : null
  }

  get stamped(): boolean {
    return this.#querySet !== null
  }

  /** For a compute pass that is timed as one phase. */
  stampsOf(phase: Phase): GPUComputePassDescriptor {
    if (this.#querySet === null) return {}
    const querySet = this.#querySet
    const begin = phase === 'assign' ? 0 : 2
    return {
      timestampWrites: { querySet, beginningOfPassWriteIndex: begin, endOfPassWriteIndex: begin + 1 },
    }
  }

  /**
   * Submits `encoder` and answers what `slots` iterations over `k` clusters of `d` features left, in memory that the answer after
   * the next one takes over.
   */
  async submit(
    encoder: GPUCommandEncoder,
    slots: number,
    { k, d }: { readonly k: number; readonly d: number },
    stamped: boolean,
  ): Promise<BatchResult> {
    const { counts, sums, centroids, ring, scales } = this.#resources
    const staging = this.#resources.staging[this.#turn]
    this.#turn = 1 - this.#turn
    const countsBytes = 4 * slots * ring.countsStride
    const centroidsBytes = 4 * slots * ring.centroidsStride
    const sumsBytes = this.#wantSums ? 4 * slots * ring.sumsStride : 0
    const sumsAt = countsBytes + centroidsBytes
    const stampsAt = 8 * Math.ceil((sumsAt + sumsBytes) / 8)
    encoder.copyBufferToBuffer(counts, 0, staging, 0, countsBytes)
    encoder.copyBufferToBuffer(centroids, 4 * ring.centroidsStride, staging, countsBytes, centroidsBytes)
    if (sumsBytes > 0) encoder.copyBufferToBuffer(sums, 0, staging, sumsAt, sumsBytes)
    if (stamped) this.#copyStamps(encoder, staging, stampsAt)
    this.#device.queue.submit([encoder.finish()])
    const bytes = stampsAt + (stamped ? stampBytes : 0)
    await staging.mapAsync(GPUMapMode.READ, 0, bytes)
    const copy = this.#copyOf(staging.getMappedRange(0, bytes))
    staging.unmap()
    const slotOf = (_: unknown, slot: number): SlotResult => {
      const all = new Uint32Array(copy, 4 * slot * ring.countsStride, ring.countsStride)
      const counts = all.subarray(0, k)
      const at = sumsAt + 4 * slot * ring.sumsStride
      const rests = 4 * ((ring.sumsStride / 3) * 2)
      const sumsOfSlot = () =>
        sumsOf(new Uint32Array(copy, at, 2 * k * d), new Int32Array(copy, at + rests, k * d), counts, scales)
      return {
        counts,
        changed: all[ring.countsStride - 3],
        sums: this.#wantSums ? sumsOfSlot() : noSums,
        centroids: new Float32Array(copy, countsBytes + 4 * slot * ring.centroidsStride, k * d),
      }
    }
    return { slots: Array.from({ length: slots }, slotOf), ...timesOf(copy, stamped ? stampsAt : null) }
  }

  #copyOf(mapped: ArrayBuffer): ArrayBuffer {
    const [next, other] = this.#copies
    const copy = next.byteLength < mapped.byteLength ? mapped.slice(0) : next
    if (copy === next) new Uint8Array(copy).set(new Uint8Array(mapped))
    this.#copies.splice(0, 2, other, copy)
    return copy
  }

  #copyStamps(encoder: GPUCommandEncoder, staging: GPUBuffer, at: number): void {
    if (this.#querySet === null || this.#stamps === null) return
    encoder.resolveQuerySet(this.#querySet, 0, 4, this.#stamps, 0)
    encoder.copyBufferToBuffer(this.#stamps, 0, staging, at, stampBytes)
  }
}

function timesOf(copy: ArrayBuffer, at: number | null): Pick<BatchResult, 'assignMs' | 'updateMs'> {
  if (at === null) return { assignMs: null, updateMs: null }
  const stamps = new BigInt64Array(copy, at, 4)
  const between = (begin: number) => Number(stamps[begin + 1] - stamps[begin]) / 1e6
  return { assignMs: between(0), updateMs: between(2) }
}

/** (k, d) sums in engine units of (k, d, 2) biased words and (k, d) rests; empty of none. @param scales (3, d) */
function sumsOf(
  words: Uint32Array,
  rests: Int32Array,
  counts: Uint32Array,
  scales: Float32Array,
): Float64Array {
  const d = scales.length / 3
  return Float64Array.from(rests, (rest, at) => {
    const of = { low: words[2 * at], high: words[2 * at + 1], rest }
    const steps = scales[2 * d + (at % d)]
    return sumFromWords(of, counts[Math.floor(at / d)], steps, scales[d + (at % d)] / steps)
  })
}
