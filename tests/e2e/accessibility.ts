import type { CDPSession } from 'playwright-core'
import { expect } from 'vitest'
import type { Lab } from './harness'

/** A part of the window as a screen reader has it. */
export interface HeardNode {
  readonly role: string
  readonly name: string
  readonly description: string
  readonly focused: boolean
  readonly pressed: string
}

interface RawValue {
  readonly value?: unknown
}

interface RawNode {
  readonly ignored: boolean
  readonly role?: RawValue
  readonly name?: RawValue
  readonly description?: RawValue
  readonly properties?: readonly { readonly name: string; readonly value: RawValue }[]
}

const sessions = new WeakMap<Lab, Promise<CDPSession>>()

/** The accessibility tree of the page, flat, in its order. */
export async function heard(lab: Lab): Promise<readonly HeardNode[]> {
  const session = sessions.get(lab) ?? lab.page.context().newCDPSession(lab.page)
  sessions.set(lab, session)
  const { nodes } = (await (await session).send('Accessibility.getFullAXTree')) as {
    nodes: readonly RawNode[]
  }
  return nodes.filter(({ ignored }) => !ignored).map(heardNode)
}

function heardNode({ role, name, description, properties = [] }: RawNode): HeardNode {
  const text = (value: RawValue | undefined) => (typeof value?.value === 'string' ? value.value : '')
  const property = (wanted: string) => properties.find((one) => one.name === wanted)?.value.value
  return {
    role: text(role),
    name: text(name),
    description: text(description),
    focused: property('focused') === true,
    pressed: String(property('pressed') ?? ''),
  }
}

/** What the keys go to, as it is read out. The page itself and the frame around it do not count. */
export async function focusedNode(lab: Lab): Promise<HeardNode | null> {
  const all = (await heard(lab)).filter(({ focused, role }) => focused && role !== 'RootWebArea')
  return all.at(-1) ?? null
}

/** Walks with the tab key until what is read out has such a name, as a person without sight and mouse does. */
export async function tabToName(lab: Lab, name: RegExp, role?: string): Promise<HeardNode> {
  const met: string[] = []
  for (let stop = 0; stop < 160; stop++) {
    const node = await focusedNode(lab)
    if (node && name.test(node.name) && (role === undefined || node.role === role)) return node
    if (node) met.push(`${node.role} ${node.name}`.slice(0, 60))
    await lab.page.keyboard.press('Tab')
  }
  throw new Error(`the tab key does not reach ${name}; it met ${met.slice(-40).join(' | ')}`)
}

/** Waits until a node of such a role reads so. */
export async function hears(lab: Lab, role: string, name: RegExp): Promise<HeardNode> {
  let found: HeardNode | undefined
  await expect
    .poll(
      async () => {
        found = (await heard(lab)).find((node) => node.role === role && name.test(node.name))
        return found !== undefined
      },
      { timeout: 20_000, message: `${role} ${name}` },
    )
    .toBe(true)
  if (found === undefined) throw new Error(`no ${role} ${name}`)
  return found
}
