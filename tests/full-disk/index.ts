import { runPoints } from './points'

function numberAfter(name: string, otherwise: number): number {
  const at = process.argv.indexOf(name)
  return at < 0 ? otherwise : Number(process.argv[at + 1])
}

const { way, counts, faults } = await runPoints(
  numberAfter('--points', 100),
  numberAfter('--seed', 1),
  console.log,
)
console.log(`${way}: ${JSON.stringify(counts)}, ${faults.length} faults`)
for (const fault of faults) console.log(fault)
process.exitCode = faults.length === 0 ? 0 : 1
