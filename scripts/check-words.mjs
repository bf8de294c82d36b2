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
  [/\b(?:most|fewest|least)(?:[A-Z]\w*|_\w+)/, 'max…, min…'],
  [/\bfused_(?:tiny|small|few|many|grid|near|high)\w*/, 'the name of a regime'],
  [/\bExamination\b/, 'Verification'],
  [/\bkeep_record\b/, 'write_iterations'],
  [/\bgone on with\b|\bas often as is borne\b|\bheaps(?: of points|_)/i, 'resumed, allowed, buckets'],
]

/**
 * Everyday words that prose may use and a name may not: refused where something is declared under them, alone or as a part
 * (`isTold`, `place_of`, `settleAll`). "In place" is the field's own term. @type {readonly [RegExp, string][]}
 */
const coinedNames = [
  [/^(?:un)?told$|^tell(?:s|ing)?$/, 'report, notify, or what the value is'],
  [/^plac(?:es?|ed|ing)$/, 'location, position, slot'],
  [/^settl(?:es?|ed|ing)$/, 'resolve, finish, what it does there'],
]
const fieldTerms = /in_?place|allSettled/gi
/** What stands before a declared name, or behind a parameter and a member. */
const declarations = [
  /(?:#|\b(?:private|protected|public|static|readonly)\s+)(\w+)\s*[=:;(]/g,
  /(\w+)\)?\s+=>/g,
  /\b(?:const|let|var|function|class|interface|type|enum|def|fn|struct|override|auto|void|bool|float|double|int|unsigned|u32|i32|f32|size_t|[A-Z]\w*[&*>]?)\s+[&*]?(\w+)/g,
  /\bvar<[^>]*>\s+(\w+)/g,
  /(?:^|[(,{])\s*(?:readonly\s+|private\s+)*#?(\w+)\??:\s/g,
  /(?:^|\s)(?:async\s+)?#?(\w+)\([^)]*\)(?::\s*\S.*)?\s*\{/g,
]
const comment = /^\s*\/?\*.*$|\/\/.*$|\/\*.*?\*\//

/** @param {string} name @returns {string[]} its parts in lower case: isTold is `is`, `told` */
const partsOf = (name) =>
  name
    .replace(fieldTerms, '')
    .split(/_|(?<=[a-z0-9])(?=[A-Z])/)
    .map((part) => part.toLowerCase())

/** @param {string} line @returns {[string, string][]} declared names that are refused, with what to say */
function refusedNames(line) {
  const code = line.replace(comment, '').replace(/'[^']*'|"[^"]*"/g, "''")
  const names = declarations.flatMap((form) => [...code.matchAll(form)].map(([, name = '']) => name))
  return [...new Set(names)].flatMap((name) => {
    const refused = coinedNames.find(([word]) => partsOf(name).some((part) => word.test(part)))
    return refused === undefined ? [] : [/** @type {[string, string]} */ ([name, refused[1]])]
  })
}

/** @param {string} line @returns {[string, string][]} */
const refusedWords = (line) =>
  coined.flatMap(([word, say]) => {
    const hit = word.exec(line)
    return hit === null ? [] : [/** @type {[string, string]} */ ([hit[0], say])]
  })

const isCode = /\.(ts|vue|mjs|cpp|hpp|cu|cuh|wgsl)$/
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

const found = [...new Set(files)].flatMap((file) =>
  readFileSync(at(file), 'utf8')
    .split('\n')
    .flatMap((line, i) => {
      const hits = [...refusedWords(line), ...(isCode.test(file) ? refusedNames(line) : [])]
      return hits.map(([word, say]) => `${file}:${i + 1}: "${word}": say ${say}`)
    }),
)
for (const line of found) console.log(line)
if (found.length > 0) console.log(`${found.length} coined words; what the field says stands beside each.`)
process.exitCode = found.length === 0 ? 0 : 1
