/** What of a session comes from outside: from the window, from a .clab, from the person's folder. */
import * as v from 'valibot'
import { centreViews } from '@shared/ipc'
import { importOverrides } from '../csv/import-overrides-schema'
import { id, partialRunConfig, path } from '../run/run-config-schema'

const whole = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const colour = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(255))
const maxDatasets = 1000
const maxRuns = 10_000

const axis = v.variant('kind', [
  v.object({ kind: v.literal('column'), column: whole }),
  v.object({ kind: v.literal('row') }),
  v.object({ kind: v.literal('component'), component: whole }),
])

const look = v.object({
  cluster: whole,
  name: v.exactOptional(v.pipe(v.string(), v.maxLength(1000))),
  colour: v.exactOptional(v.tuple([colour, colour, colour])),
})

const sessionRun = v.object({
  id,
  number: whole,
  note: v.pipe(v.string(), v.maxLength(10_000)),
  looks: v.pipe(v.array(look), v.maxLength(100_000)),
  slots: v.nullable(v.pipe(v.array(v.object({ position: whole, size: whole })), v.maxLength(100_000))),
  silhouette: v.nullable(v.number()),
})

const view = v.object({
  config: partialRunConfig,
  x: axis,
  y: axis,
  shownRun: v.nullable(id),
  colourBy: v.nullable(whole),
  view: v.picklist(centreViews),
})

const datasetEntries = {
  id,
  view: v.nullable(view),
  runs: v.pipe(v.array(sessionRun), v.maxLength(maxRuns)),
}

/** What stands for the file of a dataset. */
export const fileEntries = {
  path,
  bytes: whole,
  sha256: v.nullable(v.pipe(v.string(), v.regex(/^[\da-f]{64}$/u))),
  modifiedMs: v.number(),
  overrides: importOverrides,
}

/** As the window tells it. */
export const sessionState = v.object({
  shown: v.nullable(id),
  datasets: v.pipe(v.array(v.object(datasetEntries)), v.maxLength(maxDatasets)),
})

export const savedDataset = v.object({ ...datasetEntries, ...fileEntries })

export const savedDatasets = v.pipe(v.array(savedDataset), v.maxLength(maxDatasets))
