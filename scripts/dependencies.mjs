#!/usr/bin/env node
// What of a dependency can be known without a network: versions and licences of what is shipped, and that every package is pinned.
// Known weaknesses are another matter: `npm audit` asks a service for them.
import { readFileSync } from 'node:fs'
import { collectLicences } from './generate-licences.mjs'
import { runProgram } from './lib/failure.mjs'
import { unpinned } from './lib/pinned.mjs'
import { at } from './lib/project.mjs'
import { textTable } from './lib/text-table.mjs'

await runProgram(async () => {
  const [manifest, lock] = ['package.json', 'package-lock.json'].map((name) =>
    JSON.parse(readFileSync(at(name), 'utf8')),
  )
  const rows = collectLicences().map(({ name, version, licence }) => [name, version, licence])
  console.log(textTable(['shipped', 'version', 'licence'], rows))
  const problems = unpinned(manifest, lock)
  for (const problem of problems) console.error(problem)
  const count = Object.keys(lock.packages).length - 1
  if (problems.length === 0) console.log(`${count} packages, each pinned to one version and its sha512 hash.`)
  return problems.length === 0 ? 0 : 1
})
