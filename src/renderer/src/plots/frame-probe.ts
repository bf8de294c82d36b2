/** Watches the frames of a pan, zoom or scrub, and writes how those of the last one were on the plot's element for tests to read. */
const idleMs = 250

/** Two periods of a screen of 60 Hz, and what its clock is off by: whatever takes longer missed a frame that was due. */
const twoPeriodsMs = 33.5

export class FrameProbe {
  private longest = 0
  private frames = 0
  private missed = 0
  private last = 0
  private activeUntil = 0
  private handle = 0

  constructor(private readonly element: HTMLElement) {}

  /** Called on every change of what is shown; counting goes on until none came for a quarter of a second. */
  touch(): void {
    this.activeUntil = performance.now() + idleMs
    if (this.handle !== 0) return
    this.last = 0
    this.longest = 0
    this.frames = 0
    this.missed = 0
    this.handle = requestAnimationFrame((now) => this.frame(now))
  }

  private frame(now: number): void {
    if (this.last > 0) {
      const ms = now - this.last
      this.longest = Math.max(this.longest, ms)
      if (ms > twoPeriodsMs) this.missed++
      this.frames++
    }
    this.last = now
    const active = performance.now() < this.activeUntil
    this.handle = active ? requestAnimationFrame((next) => this.frame(next)) : 0
    if (!active) this.publish()
  }

  private publish(): void {
    this.element.dataset['longestFrameMs'] = this.longest.toFixed(2)
    this.element.dataset['missedFrames'] = String(this.missed)
    this.element.dataset['frames'] = String(this.frames)
  }

  dispose(): void {
    cancelAnimationFrame(this.handle)
  }
}
