import * as v from 'valibot'
import { memoryLimitEntries } from '@engine/host/memory-schema'
import { partialRunConfig, path } from '@engine/run/run-config-schema'
import { centreViews } from '@shared/ipc'
import { languageChoices } from '@shared/locale/languages'
import { plotColours, plotUnits } from '@shared/plot-image'
import { exportDialects } from '@shared/text-choice'

const width = v.union([v.literal(0), v.pipe(v.number(), v.minValue(120), v.maxValue(1200))])

const length = v.pipe(v.number(), v.minValue(0.01), v.maxValue(20_000))

const plotLook = v.object({
  unit: v.picklist(plotUnits),
  width: length,
  height: length,
  dpi: v.pipe(v.number(), v.minValue(36), v.maxValue(1200)),
  fontPt: v.pipe(v.number(), v.minValue(4), v.maxValue(36)),
  // Absent in what an earlier version kept.
  title: v.optional(v.boolean(), true),
  legend: v.boolean(),
  trails: v.boolean(),
  colours: v.picklist(plotColours),
})

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
  plotLook,
}

/** What the window may ask to remember. */
export const partialSettings = v.partial(v.object(settingsEntries))

/** What is kept: the folder is never named by the page, and the language is chosen in the menu. */
export const storedSettings = v.partial(
  v.object({
    ...settingsEntries,
    language: v.picklist(languageChoices),
    memory: v.object({ ...memoryLimitEntries, scratchFolder: v.union([v.literal(''), path]) }),
  }),
)
