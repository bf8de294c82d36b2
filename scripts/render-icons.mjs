// Paints build/icons/*.svg as PNG with Chromium, which draws them as desktops do. Called by hand after a change of the drawings,
// and the results are committed: node scripts/render-icons.mjs (without a display: under xvfb-run -a).
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { _electron } from 'playwright-core'
import { iconSizes } from './lib/package-icons.mjs'
import { at } from './lib/project.mjs'

/** Below this many pixels the dots run into each other: the small drawing leaves them out. */
const smallBelow = 40

const folder = mkdtempSync(join(tmpdir(), 'centroid-lab-icons-'))
try {
  writeFileSync(
    join(folder, 'package.json'),
    '{"name": "icons", "version": "1.0.0", "type": "module", "main": "main.js"}',
  )
  writeFileSync(join(folder, 'main.js'), blankWindow())
  writeFileSync(join(folder, 'page.html'), '<!doctype html><title>icons</title>')
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const app = await _electron.launch({ args: [...sandbox, folder] })
  const page = await app.firstWindow()
  for (const size of iconSizes) {
    const drawing = size < smallBelow ? 'centroid-lab-small.svg' : 'centroid-lab.svg'
    const svg = readFileSync(at('build', 'icons', drawing)).toString('base64')
    const url = await page.evaluate(paint, { svg, size })
    writeFileSync(at('build', 'icons', `${size}x${size}.png`), Buffer.from(url.split(',')[1], 'base64'))
  }
  await app.close()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** The smallest application that has a page to paint on. */
function blankWindow() {
  return [
    "import { app, BrowserWindow } from 'electron'",
    'app.whenReady().then(() => new BrowserWindow().loadFile(`${import.meta.dirname}/page.html`))',
  ].join('\n')
}

/**
 * Runs in the page.
 * @param {{svg: string, size: number}} drawing svg: base64; size: pixels
 * @returns {Promise<string>} data: URL of the PNG
 */
async function paint({ svg, size }) {
  const image = new Image(size, size)
  image.src = `data:image/svg+xml;base64,${svg}`
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = size
  canvas.getContext('2d')?.drawImage(image, 0, 0, size, size)
  return canvas.toDataURL('image/png')
}
