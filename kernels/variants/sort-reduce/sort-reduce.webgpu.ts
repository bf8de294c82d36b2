import source from './sort-reduce.wgsl?raw'
import { heldPoints } from '@kernels/common/webgpu/held-points'
import { grid, type CompileRequest, type Pass, type VariantPasses } from '@kernels/common/webgpu/passes'
import { keptAsStudied } from '@kernels/common/webgpu/variant'

const digitBits = 4
const digits = 2 ** digitBits
/** Elements of a workgroup that sorts or adds up; threads of one that gathers. */
const blockSize = 1024
const gatherers = 64
const pairBytes = 8

/** Labels are sorted digit by digit, from one buffer of pairs to the other and back. */
export function sortReduce(request: CompileRequest): VariantPasses {
  const { k, d } = request
  const held = heldPoints(request)
  const { constants } = held
  const rounds = roundsOf(k)
  const sorted = pairsAfter(rounds - 1)
  return {
    files: [held.file, source],
    kernels: {
      assign: { bindings: ['points', 'labels', 'counts', 'centroids'], constants },
      count_digits: { bindings: ['labels'] },
      scan_digits: { bindings: [] },
      move_pairs: { bindings: ['labels'] },
      gather: { bindings: ['points'], constants },
      reduce_segments: { bindings: ['counts', 'sums', 'scales'], constants },
    },
    scratch: {
      starts: { bytes: (points) => 4 * digits * blocksOf(points) },
      even: { bytes: (points) => pairBytes * points },
      odd: { bytes: (points) => pairBytes * points },
      gathered: { bytes: (points) => 4 * d * points },
    },
    assign: [{ kernel: 'assign', groups: held.groups }],
    update: [
      ...Array.from({ length: rounds }, (_, round) => sortingRound(round)).flat(),
      {
        kernel: 'gather',
        scratch: [sorted, 'gathered'],
        groups: ({ count }) => grid(Math.ceil((count * d) / gatherers)),
      },
      {
        kernel: 'reduce_segments',
        scratch: [sorted, 'gathered'],
        groups: ({ count }) => grid(blocksOf(count) * (d + 1)),
      },
    ],
    pointsPerGroup: held.pointsPerGroup,
    fused: false,
  }
}

/** Digits of the largest label; one round at least, which makes the pairs. */
export function roundsOf(k: number): number {
  let rounds = 1
  while (digits ** rounds < k) rounds++
  return rounds
}

function sortingRound(step: number): Pass[] {
  const [before, after] = [pairsAfter(step + 1), pairsAfter(step)]
  const groups: Pass['groups'] = ({ count }) => grid(blocksOf(count))
  return [
    { kernel: 'count_digits', scratch: ['starts', before], step, groups },
    { kernel: 'scan_digits', scratch: ['starts'], step, groups: () => [1, 1] },
    { kernel: 'move_pairs', scratch: ['starts', before, after], step, groups },
  ]
}

function pairsAfter(step: number): string {
  return step % 2 === 0 ? 'even' : 'odd'
}

function blocksOf(points: number): number {
  return Math.ceil(points / blockSize)
}

export default keptAsStudied(sortReduce)
