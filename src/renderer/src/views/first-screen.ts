/** A window that is not in sight draws no frames. */
const unseenMs = 250

/** Resolves when what was just put on the page is drawn: the second frame from now comes after it. */
export function firstScreenDrawn(): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(resolve, unseenMs)
    const drawn = () => {
      clearTimeout(late)
      resolve()
    }
    requestAnimationFrame(() => requestAnimationFrame(drawn))
  })
}
