import { printable } from '@shared/printable'
import { RateLimit } from '@shared/throttle'
import type { TextOut } from './io'

/** A terminal is updated this often, a log file gets a line only now and then. */
const terminalMs = 100
const logMs = 5000

/** Progress on standard error: one line that changes on a terminal, sparse lines anywhere else. */
export class Progress {
  readonly #out: TextOut
  readonly #limit: RateLimit
  #shown = false

  constructor(out: TextOut, now?: () => number) {
    this.#out = out
    this.#limit = new RateLimit(out.isTTY === true ? terminalMs : logMs, now)
    if (out.isTTY !== true) this.#limit.restart()
  }

  update(text: string): void {
    const terminal = this.#out.isTTY === true
    if (!this.#limit.take()) return
    const line = printable(text)
    if (terminal) this.#replaceLine(line.slice(0, (this.#out.columns ?? 80) - 1))
    else this.#out.write(`${line}\n`)
    this.#shown = terminal
  }

  /** Takes the changing line away, before anything that stays is written. */
  clear(): void {
    if (this.#shown) this.#replaceLine('')
    this.#shown = false
  }

  #replaceLine(line: string): void {
    const clear = '\r\x1b[K'
    if (!this.#out.control) this.#out.write(`${clear}${line}`)
    else {
      this.#out.control(clear)
      if (line !== '') this.#out.write(line)
    }
  }
}
