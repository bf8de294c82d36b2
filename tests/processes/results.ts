import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Result files; run.json has times in it. */
export function resultsOf(folder: string): Record<string, string> {
  const names = readdirSync(folder).filter((name) => !/run\.json|history\.csv|timings\.csv/.test(name))
  const files = Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
  const record = JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8')) as Record<string, unknown>
  return {
    ...files,
    // What is said of the file and of the data, and how the rows became points.
    ...Object.fromEntries(
      ['file', 'import', 'features', 'preparation'].map((key) => [key, JSON.stringify(record[key])]),
    ),
    warnings: JSON.stringify((record['results'] as Record<string, unknown>)['warnings']),
    result_sha256: JSON.stringify(record).match(/"(?:result_sha256|resultSha256)":"(\w+)"/)?.[1] ?? '',
  }
}
