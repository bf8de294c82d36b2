import { runPoints } from './points'

const print = (line: string) => void process.stdout.write(`${line}\n`)

function numberAfter(name: string, otherwise: number): number {
  const at = process.argv.indexOf(name)
  return at < 0 ? otherwise : Number(process.argv[at + 1])
}

const { way, counts, statuses, faults } = await runPoints(
  numberAfter('--points', 100),
  numberAfter('--seed', 1),
  print,
  numberAfter('--rows', 20_000),
)
print(`${way}: ${JSON.stringify(counts)}`)
print(`exit statuses ${JSON.stringify(statuses)}, ${faults.length} faults`)
process.exitCode = faults.length === 0 ? 0 : 1
