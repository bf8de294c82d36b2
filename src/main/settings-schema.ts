import * as v from 'valibot'
import { memoryLimitEntries } from '@engine/host/memory-schema'
import { partialRunConfig, path } from '@engine/run/run-config-schema'
import { centreViews } from '@shared/ipc'
import { exportDialects } from '@shared/text-choice'

const width = v.union([v.literal(0), v.pipe(v.number(), v.minValue(120), v.maxValue(1200))])

const settingsEntries = {
  theme: v.picklist(['system', 'light', 'dark'] as const),
  leftCollapsed: v.boolean(),
  rightCollapsed: v.boolean(),
  view: v.picklist(centreViews),
  stepCount: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(64)),
  startOpen: v.boolean(),
  advancedOpen: v.boolean(),
  factsOpen: v.boolean(),
  phasesOpen: v.boolean(),
  live: v.boolean(),
  leftPanelWidth: width,
  rightPanelWidth: width,
  neutraliseFormulas: v.boolean(),
  exportDialect: v.picklist(exportDialects),
  lastConfig: partialRunConfig,
}

/** What the window may ask to remember. */
export const partialSettings = v.partial(v.object(settingsEntries))

/** What is kept: the folder is never named by the page. */
export const storedSettings = v.partial(
  v.object({
    ...settingsEntries,
    memory: v.object({ ...memoryLimitEntries, scratchFolder: v.union([v.literal(''), path]) }),
  }),
)
