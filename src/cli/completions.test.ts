import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { commands } from './arguments'
import { completions } from './completions'
import { shells } from './completions-arguments'
import { descriptions } from './descriptions'
import { manual } from './manual'
import { runCli } from './run-cli'

/** What bash offers for the last of the words. */
async function offered(...words: readonly string[]): Promise<string[]> {
  const typed = ['centroid-lab', ...words].map((word) => `'${word}'`).join(' ')
  const script = `${completions('bash')}
    COMP_WORDS=(${typed}); COMP_CWORD=${words.length}; _centroid_lab; printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout } = await promisify(execFile)('bash', ['--norc', '-c', script], { cwd: 'examples' })
  return stdout.split('\n').filter((line) => line !== '')
}

describe('bash', () => {
  it('offers commands and files first', async () => {
    expect(await offered('c')).toEqual(['cluster', 'completions'])
    expect(await offered('i')).toEqual(['iris.csv'])
  })

  it('offers the options of a command, and files beside them', async () => {
    expect(await offered('cluster', '--max')).toEqual(['--max-iterations'])
    expect(await offered('verify', '--')).toContain('--data')
    expect(await offered('cluster', 'w')).toEqual(['wine.csv'])
  })

  it('offers the words that an option takes', async () => {
    expect(await offered('cluster', '--engine', '')).toEqual(['auto', 'cpu', 'cuda', 'webgpu'])
    expect(await offered('cluster', '--empty', 'f')).toEqual(['farthest'])
  })
})

describe.each(shells)('%s', (shell) => {
  it('knows every option of every command', () => {
    const text = completions(shell)
    for (const { options } of Object.values(descriptions)) {
      for (const { name } of options) expect(text).toContain(name)
    }
    for (const command of commands) expect(text).toContain(command)
  })
})

describe('on the command line', () => {
  async function lab(...args: string[]) {
    let [out, said] = ['', '']
    const status = await runCli(args, {
      stdout: { write: (text) => (out += text) },
      stderr: { write: (text) => (said += text) },
      signal: new AbortController().signal,
      env: {},
    })
    return { status, out, said }
  }

  it('prints what it is asked for', async () => {
    expect(await lab('completions', 'fish')).toEqual({ status: 0, out: completions('fish'), said: '' })
    expect(await lab('manual')).toEqual({ status: 0, out: manual(), said: '' })
    expect(await lab('completions', 'ksh')).toMatchObject({
      status: 2,
      said: "Expected one of bash, zsh, fish for the shell but received 'ksh'.\n",
    })
  })
})

describe('the manual page', () => {
  it('has a section for each command and an entry for each option', () => {
    const page = manual().replaceAll('\\-', '-')
    for (const command of commands) {
      expect(page).toContain(`.SS ${command}\n`)
      const section = page.slice(page.indexOf(`.SS ${command}\n`))
      for (const { name } of descriptions[command].options) expect(section).toContain(`-${name}`)
    }
  })

  it('has no line that the formatter would take for a request of its own', () => {
    const requests = manual()
      .split('\n')
      .filter((line) => /^[.']/.test(line))
    expect(requests.filter((line) => !/^\.(TH|SH|SS|TP|PP|B|BR|I|RI|br|nf|fi)( |$)/.test(line))).toEqual([])
  })
})
