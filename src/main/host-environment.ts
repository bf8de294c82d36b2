/** What tells Node, or the OpenSSL inside it, to load or trust something from elsewhere. */
const steersNode = /^(node_|openssl_|ssl_cert_)/i
/** Ours, for development: another Node, other addons, another Vulkan driver. */
const steersUs = new Set(['CENTROID_LAB_NODE', 'CENTROID_LAB_ADDON_DIR', 'CENTROID_LAB_SWIFTSHADER_DIR'])

/**
 * The environment of the engine host. A package runs what was packed and nothing else, as Electron's fuses have
 * it for the window: `NODE_OPTIONS`, `NODE_PATH` and their kin, and our own overrides of what is run, stay behind.
 * In development all of it holds.
 */
export function hostEnvironment(env: NodeJS.ProcessEnv, isPackaged: boolean): NodeJS.ProcessEnv {
  if (!isPackaged) return env
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !steersNode.test(name) && !steersUs.has(name)),
  )
}
