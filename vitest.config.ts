import { statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import vue from '@vitejs/plugin-vue'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const alias = {
  '@shared': resolve('src/shared'),
  '@engine': resolve('src/engine'),
  '@kernels': resolve('kernels'),
  '@tests': resolve('tests'),
  '@': resolve('src/renderer/src'),
}

/** Tests that hold the program to a time. They run one file after the other, with nothing beside them. */
const timed = [
  'src/**/*.timing.test.ts',
  'src/shared/metrics/contingency.test.ts',
  'src/engine/engines/webgpu/empty-clusters.test.ts',
  'src/engine/engines/webgpu/polling.test.ts',
  'src/engine/host/handlers/run-views.test.ts',
  'src/engine/run/clustering.test.ts',
  'src/engine/benchmark/outside/outside.test.ts',
  'src/engine/benchmark/plan.test.ts',
  'src/cli/process.test.ts',
  'src/main/engine-process.test.ts',
  'tests/processes/processes.test.ts',
]

/** Both cores of a small machine, where the runner would leave one to itself. */
const maxWorkers = Math.max(2, availableParallelism() - 1)

/** Files that take longest. They begin first, so that no core waits for one of them at the end. */
const slowest = [
  'tests/parity/determinism.test.ts',
  'tests/parity/parity.test.ts',
  'tests/parity/regimes.test.ts',
  'tests/processes/same-bytes.test.ts',
  'src/engine/engines/webgpu/canonical.test.ts',
  'src/engine/engines/webgpu/regimes.test.ts',
  'src/engine/engines/webgpu.test.ts',
]

class Order extends BaseSequencer {
  /** Files of like size go to different parts, which then take about as long. */
  override async shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { index, count } = this.ctx.config.shard ?? { index: 1, count: 1 }
    const sizeOf = ({ moduleId }: TestSpecification) => statSync(moduleId).size
    const bySize = files.toSorted((a, b) => sizeOf(b) - sizeOf(a))
    return bySize.filter((_, at) => at % count === index - 1)
  }

  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isSlow = ({ moduleId }: TestSpecification) => slowest.some((file) => moduleId.endsWith(file))
    const sorted = await super.sort(files)
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))]
  }
}

// One runner, five suites: `unit` (pure TypeScript, engine and main), `timing` (those of them that measure time),
// `renderer` (components in jsdom), `parity` (every variant x engine x fixture against the float64 reference, and the trials in bench),
// `e2e` (the real window). Only when asked for: `kills` (those of `e2e`, hundreds of times), `dialogs` (the desktop's own, by the keys of a person), and `pictures`, which checks nothing new: it takes the pictures of the documentation, when asked to.
export default defineConfig({
  resolve: { alias },
  test: {
    sequence: { sequencer: Order },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['src/{shared,engine,main,cli,preload}/**/*.test.ts', 'tests/unit/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...timed],
          testTimeout: 60_000,
          maxWorkers,
        },
      },
      {
        extends: true,
        test: {
          name: 'timing',
          include: timed,
          testTimeout: 30_000,
          fileParallelism: false,
        },
      },
      {
        extends: true,
        plugins: [vue()],
        test: { name: 'renderer', environment: 'jsdom', include: ['src/renderer/**/*.test.ts'], maxWorkers },
      },
      {
        extends: true,
        test: {
          name: 'parity',
          include: [
            'tests/parity/**/*.test.ts',
            'tests/hashes/**/*.test.ts',
            'kernels/**/*.test.ts',
            'tests/processes/same-bytes.test.ts',
            'bench/**/*.test.ts',
          ],
          testTimeout: 300_000,
          maxWorkers,
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['tests/e2e/**/*.test.ts', 'tests/kills/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'kills',
          include: ['tests/kills/**/*.test.ts'],
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'dialogs',
          include: ['tests/dialogs/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'pictures',
          include: ['tests/pictures/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
