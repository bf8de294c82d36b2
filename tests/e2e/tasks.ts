/** Tasks of the page's main thread: how long each keeps it from drawing. */
import type { Page } from 'playwright-core'

export interface Task {
  /** Processor time of the thread, so that what other programs take does not count; without collections of garbage. */
  readonly ms: number
  /** What it consists of, the longest first. */
  readonly parts: readonly string[]
}

/** Of Chrome's trace format; microseconds. */
interface TraceEvent {
  readonly name: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  readonly ts: number
  readonly dur?: number
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

/** The tasks while something is done, the longest first. */
export async function tasksDuring(page: Page, work: () => Promise<void>): Promise<readonly Task[]> {
  const cdp = await page.context().newCDPSession(page)
  const events: TraceEvent[] = []
  cdp.on('Tracing.dataCollected', ({ value }) => void events.push(...(value as unknown as TraceEvent[])))
  await cdp.send('Tracing.start', {
    traceConfig: { includedCategories: ['toplevel', 'devtools.timeline'] },
    transferMode: 'ReportEvents',
  })
  await work()
  const complete = new Promise<void>((resolve) => cdp.once('Tracing.tracingComplete', () => resolve()))
  await cdp.send('Tracing.end')
  await complete
  await cdp.detach()
  return tasksOf(events)
}

const msOf = ({ tdur, dur }: TraceEvent): number => (tdur ?? dur ?? 0) / 1000
const isCollection = ({ name }: TraceEvent): boolean => name === 'MinorGC' || name === 'MajorGC'

function tasksOf(events: readonly TraceEvent[]): readonly Task[] {
  const mains = events.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
  const isMain = ({ pid, tid }: TraceEvent) => mains.some((main) => main.pid === pid && main.tid === tid)
  const spans = events.filter((event) => event.ph === 'X' && isMain(event))
  return spans
    .filter(({ name }) => name.endsWith('RunTask'))
    .map((task) => taskOf(task, spans))
    .sort((a, b) => b.ms - a.ms)
}

function taskOf(task: TraceEvent, spans: readonly TraceEvent[]): Task {
  const end = task.ts + (task.dur ?? 0)
  const inside = spans.filter(
    (one) => one !== task && one.pid === task.pid && one.ts >= task.ts && one.ts < end,
  )
  const collecting = inside.filter(isCollection).reduce((sum, one) => sum + msOf(one), 0)
  const longest = inside.toSorted((a, b) => msOf(b) - msOf(a)).slice(0, 6)
  return {
    ms: msOf(task) - collecting,
    parts: longest.map((one) => `${one.name} ${msOf(one).toFixed(1)}`),
  }
}
