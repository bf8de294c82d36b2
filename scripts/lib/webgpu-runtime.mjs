import { existsSync } from 'node:fs'
import { join } from 'node:path'

const needed = ['vk_swiftshader_icd.json', 'libvk_swiftshader.so', 'libvulkan.so.1']

/**
 * Whether WebGPU has its software adapter. Nothing is copied or linked: the engine finds SwiftShader in the Electron runtime
 * and loads the Vulkan loader from there when the system has none (src/engine/engines/webgpu/runtime.ts).
 * @param {string} root folder of the checkout
 * @returns {string | null} one sentence about what is missing, or null
 */
export function prepareWebgpuRuntime(root = process.cwd()) {
  if (process.platform !== 'linux') return null
  const folder = process.env.CENTROID_LAB_SWIFTSHADER_DIR || join(root, 'node_modules/electron/dist')
  const missing = needed.filter((name) => !existsSync(join(folder, name)))
  if (missing.length === 0) return null
  return `WebGPU will have no software adapter: ${missing.join(', ')} not found in the Electron runtime; set Electron up again.`
}
