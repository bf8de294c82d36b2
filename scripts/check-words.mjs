#!/usr/bin/env node
// Refuses words that a newcomer to the field would have to look up; beside each stands what the field says. Part of `npm run lint`.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { at } from './lib/project.mjs'

/** What a check can tell: names of types, functions and constants, and set phrases. @type {readonly [RegExp, string][]} */
const coined = [
  [/\bEntrant\b|\bentrants?\b/, 'ContenderRunner'],
  [/\bShelf\b|\bColumnShelf\b/, 'DatasetCache'],
  [/\bTidy\b/, 'IdleGarbageCollector'],
  [/\b(?:class|new) Quiet\b/, 'TimingLock'],
  [/\bSurroundings\b|\bsurroundings\b/, 'BenchmarkDependencies'],
  [/\bExaminer\b|\bexaminer\b/, 'Verifier'],
  [/\bBenchMarks\b/, 'CrashMarker'],
  [/\bEngineLeg\b|\blegsWarning\b/, 'engine segments'],
  [/\brequireRoom\w*/, 'assertFitsInMemory'],
  [/\bfewOf\b/, 'fewClustersPass, cappedGrid'],
  [/\bscribe\b/, 'coordinator block'],
  [/\bpatience\b/, 'poll_delay_cycles, timeout'],
  [/\b\w*_sift\b|\bsift\w*\b/, 'filter, candidate_filter'],
  [/\bPartsOf\b.*Letter|\bLetter\b|\bMailbox_date\b/, 'PartialSumMessage, Mailbox, epoch'],
  [/\bclass Standing\b|\bkept-standing\b/, 'CheckpointTracker, UnchangedCentroidsCache'],
  [/\b(?:most|fewest|least)[A-Z]\w*/, 'max…, min…'],
  [/\bfused_(?:tiny|small|few|many|grid|near|high)\w*/, 'the name of a regime'],
  [/\bgone on with\b|\bas often as is borne\b|\bheaps of points\b/, 'resumed, allowed, buckets'],
]

const files = execFileSync(
  'git',
  ['-C', at(), 'ls-files', '-z', 'src', 'kernels', 'scripts', 'tests', 'bench', 'docs', '*.md'],
  {
    encoding: 'utf8',
  },
)
  .split('\0')
  .filter((file) => /\.(ts|vue|mjs|cpp|hpp|cu|cuh|wgsl|md|cmake)$/.test(file))
  .filter((file) => !/(^|\/)results\/|^scripts\/check-words\.mjs$/.test(file))
  // Names that the addons answer by, and the figures of the benchmark that others read.
  .filter((file) => !/^(bench|tests\/parity)\/|^kernels\/(test|binding)\/|^src\/engine\/engines\//.test(file))

const found = [...new Set(files)].flatMap((file) =>
  readFileSync(at(file), 'utf8')
    .split('\n')
    .flatMap((line, i) =>
      coined.flatMap(([word, say]) => {
        const hit = word.exec(line)
        return hit === null ? [] : [`${file}:${i + 1}: "${hit[0]}": say ${say}`]
      }),
    ),
)
for (const line of found) console.log(line)
if (found.length > 0) console.log(`${found.length} coined words; what the field says stands beside each.`)
process.exitCode = found.length === 0 ? 0 : 1
