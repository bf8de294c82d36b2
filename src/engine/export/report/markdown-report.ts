import { escaped, markdownTable } from '@shared/benchmark/markdown'
import type { RunResult } from '../../run/types'
import type { TextSink } from '../atomic-file'
import { reportContent } from './content'

/** report.md: what report.html says, without its plot. @throws LabError `cancelled` */
export async function writeMarkdownReport(
  result: RunResult,
  sink: TextSink,
  signal: AbortSignal,
): Promise<void> {
  const { title, lead, warnings, groups, tables, commandLine } = await reportContent(result, signal)
  const facts = groups.map(
    (group) =>
      `### ${group.title}\n\n${group.facts.map(({ name, value }) => `- ${escaped(name)}: ${escaped(value)}`).join('\n')}`,
  )
  const parts = [
    `# ${escaped(title)}`,
    escaped(lead),
    ...(warnings.length > 0 ? [warnings.map((text) => `> ${escaped(text)}`).join('\n>\n')] : []),
    ...tables.map((table) => markdownTable(table, null)),
    '## How it was made',
    ...facts,
    '## How to repeat it',
    `\`\`\`sh\n${commandLine}\n\`\`\``,
  ]
  await sink.write(`${parts.join('\n\n')}\n`)
}
