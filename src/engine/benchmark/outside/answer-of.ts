import { endGroup, startGroup } from './process-group'

/** What a program says at most; more is not an answer to what was asked. */
const maxCharacters = 1 << 16

/** What a program prints, null where it fails. One that does not end in time is ended with all that it started. */
export function answerOf(
  path: string,
  args: readonly string[],
  { env, timeoutMs }: { readonly env: NodeJS.ProcessEnv; readonly timeoutMs: number },
): Promise<string | null | 'hangs'> {
  return new Promise((resolve) => {
    const child = startGroup(path, args, env)
    let said = ''
    const timer = setTimeout(() => {
      endGroup(child)
      child.stdout.destroy()
      resolve('hangs')
    }, timeoutMs)
    const answer = (text: string | null) => {
      clearTimeout(timer)
      resolve(text)
    }
    child.stdin.end()
    child.stderr.resume()
    child.stdout.on('data', (data: Buffer) => {
      if (said.length < maxCharacters) said += data.toString()
    })
    child.once('error', () => answer(null))
    child.once('close', (status) => answer(status === 0 ? said : null))
  })
}
