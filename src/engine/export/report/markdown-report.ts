import { speaking, t } from '@shared/locale/translate'
import type { ReportChoice } from '@shared/text-choice'
import { escaped, markdownTable } from '@shared/benchmark/markdown'
import type { RunResult } from '../../run/types'
import type { TextSink } from '../atomic-file'
import { reportContent, type ReportContent } from './content'

/** report.md: what report.html says, without its plot. @throws LabError `cancelled` */
export async function writeMarkdownReport(
  result: RunResult,
  sink: TextSink,
  signal: AbortSignal,
  choice: ReportChoice = {},
): Promise<void> {
  const content = await reportContent(result, signal, choice)
  await sink.write(speaking(choice.language ?? 'en', () => markdownOf(content)))
}

function markdownOf({ title, lead, note, warnings, groups, tables, commandLine }: ReportContent): string {
  const facts = groups.map(
    (group) =>
      `### ${group.title}\n\n${group.facts.map(({ name, value }) => `- ${escaped(name)}: ${escaped(value)}`).join('\n')}`,
  )
  const parts = [
    `# ${escaped(title)}`,
    escaped(lead),
    ...(note === null ? [] : [escaped(note)]),
    ...(warnings.length > 0 ? [warnings.map((text) => `> ${escaped(text)}`).join('\n>\n')] : []),
    ...tables.map((table) => markdownTable(table, null)),
    `## ${t('report.howItWasMade')}`,
    ...facts,
    `## ${t('report.howToRepeatIt')}`,
    `\`\`\`sh\n${commandLine}\n\`\`\``,
  ]
  return `${parts.join('\n\n')}\n`
}
