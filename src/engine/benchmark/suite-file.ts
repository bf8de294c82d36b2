import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Suite } from '@shared/benchmark/suite'
import { LabError } from '@shared/errors'
import { checked } from '../host/schemas'
import { suiteSchema } from './suite-schema'

/**
 * Reads a SUITE.json; its files are named relative to its folder and answered as full paths.
 * @throws LabError `io` when it cannot be read, `input` for what is no suite
 */
export async function readSuiteFile(path: string): Promise<Suite> {
  const suite = checked(suiteSchema, path, parsed(path, await textOf(path)))
  const full = (name: string) => resolve(dirname(path), name)
  const { centroidsFile } = suite.config
  return {
    ...suite,
    cases: suite.cases.map((one) =>
      one.dataset.kind === 'file'
        ? { ...one, dataset: { ...one.dataset, path: full(one.dataset.path) } }
        : one,
    ),
    config: { ...suite.config, centroidsFile: centroidsFile === null ? null : full(centroidsFile) },
  }
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    const details = error instanceof Error ? error.message : String(error)
    throw new LabError(
      'io',
      'suite.unreadable',
      `${path} cannot be read: choose another suite file.`,
      details,
    )
  }
}

function parsed(path: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const details = error instanceof Error ? error.message : String(error)
    throw new LabError(
      'input',
      'suite.no-json',
      `${path} is no JSON document: choose a suite that Centroid Lab wrote.`,
      details,
    )
  }
}
