import { readFile } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'
import { protocol, type ProtocolResponse } from 'electron'
import { builtFile } from './paths'

/** The page has an origin of its own: no file:// page, so no file is a neighbour. */
export const appScheme = 'centroid-lab'
const appHost = 'window'
export const appOrigin = `${appScheme}://${appHost}`

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "worker-src 'self'",
  "connect-src 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

/** Must be called before the app is ready. */
export function registerAppScheme(): void {
  // Compiled scripts are kept in the user's folder: a second start does not compile them again.
  const privileges = { standard: true, secure: true, codeCache: true }
  protocol.registerSchemesAsPrivileged([{ scheme: appScheme, privileges }])
}

/**
 * Serves the built page and nothing outside its folder. `protocol.handle` would take all of Node's fetch along (undici, HTTP/2,
 * TLS), which costs a tenth of the time to the first screen.
 * @param answering begins when the page itself is on its way; its scripts wait for it, since they ask as soon as they run
 */
export function serveApp(answering: () => Promise<void>): void {
  const root = builtFile('renderer')
  const served = async (url: string): Promise<ProtocolResponse> => {
    const { host, pathname } = new URL(url)
    if (host !== appHost) return notFound
    // Names of the build are plain: what is escaped is none of them.
    const file = join(root, pathname === '/' ? 'index.html' : pathname)
    const type = types[extname(file)]
    if (!file.startsWith(root + sep) || type === undefined) return notFound
    const isScript = type === types['.js']
    const [data] = await Promise.all([readFile(file).catch(() => null), isScript ? answering() : null])
    if (type === types['.html']) setImmediate(() => void answering().catch(() => undefined))
    return data === null ? notFound : { data, mimeType: type.split(';')[0], headers: headersFor(type) }
  }
  protocol.registerBufferProtocol(appScheme, ({ url }, answer) => {
    served(url).then(answer, () => answer(notFound))
  })
}

function headersFor(type: string): Record<string, string> {
  return {
    'content-type': type,
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'x-dns-prefetch-control': 'off',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    // With the one above: threads of the page may share memory.
    'cross-origin-embedder-policy': 'require-corp',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'no-store',
  }
}

const notFound: ProtocolResponse = {
  statusCode: 404,
  mimeType: 'text/plain',
  data: Buffer.from('Not found'),
}
