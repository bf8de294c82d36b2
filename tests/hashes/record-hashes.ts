/**
 * Writes tests/hashes/expected.json: the hash of every case by exact arithmetic, no engine in it. Only after a change of the
 * contract or of the cases:
 *   npm run test:hashes -- --record
 */
import { writeFile } from 'node:fs/promises'
import { hashCases } from './cases'
import { referenceHash } from './reference-run'

const table: Record<string, string> = {}
for (const { name, config, points } of hashCases()) table[name] = await referenceHash(points(), config)
await writeFile(process.argv[2], `${JSON.stringify(table, null, 2)}\n`)
