import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { app } from 'electron'
import * as v from 'valibot'
import { LabError } from '@shared/errors'
import type { AppRequests, Licence } from '@shared/ipc'
import type { EngineProcess } from './engine-process'
import { crashReports } from './crash-reports'
import { builtFile } from './paths'
import { t } from '@shared/locale/translate'

/** A host that does not answer in this time is not waited for. */
const patienceMs = 2000

const licencesSchema = v.array(
  v.object({ name: v.string(), version: v.string(), licence: v.string(), text: v.string() }),
)

/** Versions, best known first, and the licences of everything that is shipped. */
export async function about(
  engine: Pick<EngineProcess, 'request'>,
): Promise<AppRequests['app.about']['result']> {
  const [licences, host, kept] = await Promise.all([readLicences(), hostVersion(engine), crashReports()])
  const { electron = '', chrome = '', node } = process.versions
  const dawn = licences.find(({ name }) => name === 'webgpu')?.version
  return {
    versions: {
      'Centroid Lab': app.getVersion(),
      Electron: electron,
      Chromium: chrome,
      'Node (window)': node,
      'Node (engines)': host,
      ...(dawn === undefined ? {} : { 'WebGPU (Dawn, npm webgpu)': dawn }),
    },
    licences,
    crashReports: kept,
  }
}

async function hostVersion(engine: Pick<EngineProcess, 'request'>): Promise<string> {
  const answer = engine.request('host.ping', {}).then(
    ({ node }) => node.replace(/^v/, ''),
    () => null,
  )
  return (await Promise.race([answer, delay(patienceMs, null)])) ?? t('desktop.notRunning')
}

/** Gathered when the program was built: see scripts/generate-licences.mjs. */
async function readLicences(): Promise<readonly Licence[]> {
  try {
    return v.parse(licencesSchema, JSON.parse(await readFile(builtFile('main', 'licences.json'), 'utf8')))
  } catch (error) {
    throw new LabError(
      'internal',
      'about.licences',
      t('desktop.theLicencesThatBelongToCentroid'),
      String(error),
    )
  }
}
