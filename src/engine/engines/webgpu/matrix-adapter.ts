/** What a device must offer whose subgroups multiply matrices. */
export const matrixFeatures: readonly string[] = [
  'shader-f16',
  'subgroups',
  'chromium-experimental-subgroup-matrix',
]

/** Without these Dawn does not offer the features; with them other kernels are slower. */
const wantedToggles = ['allow_unsafe_apis', 'vulkan_enable_f16_on_nvidia']
const lanes = 32
const side = 16

/** A form of matrices that an adapter multiplies, as far as Dawn tells; not in the types of WebGPU yet. */
interface MatrixForm {
  readonly componentType: string
  readonly resultComponentType: string
  readonly M: number
  readonly N: number
  readonly K: number
}

interface MatrixInfo {
  readonly subgroupMatrixConfigs?: Iterable<MatrixForm>
  readonly subgroupMinSize?: number
  readonly subgroupMaxSize?: number
}

let loaded: Promise<GPU> | null = null

/**
 * The adapter that `info` describes, from an instance of Dawn with matrix units switched on; null where it has none of
 * the form used: 16 x 16 x 16, factors of 16 bits, float32 sums, subgroups of 32. The package must have been imported before.
 */
export async function requestMatrixAdapter(
  options: GPURequestAdapterOptions,
  info: GPUAdapterInfo,
  unwanted: readonly string[],
): Promise<GPUAdapter | null> {
  loaded ??= instance(unwanted)
  const gpu = await loaded.catch(() => null)
  const adapter = await gpu?.requestAdapter(options).catch(() => null)
  if (adapter === null || adapter === undefined) return null
  const isSame = adapter.info.device === info.device && adapter.info.description === info.description
  return isSame && multiplies(adapter) ? adapter : null
}

async function instance(unwanted: readonly string[]): Promise<GPU> {
  const { create } = await import('webgpu')
  return create([
    `enable-dawn-features=${wantedToggles.join(',')}`,
    `disable-dawn-features=${unwanted.join(',')}`,
  ])
}

function multiplies(adapter: GPUAdapter): boolean {
  const { subgroupMatrixConfigs = [], subgroupMinSize, subgroupMaxSize }: MatrixInfo = adapter.info
  const forms = [...subgroupMatrixConfigs]
  const hasForm = forms.some(
    ({ componentType, resultComponentType, M, N, K }) =>
      componentType === 'f16' && resultComponentType === 'f32' && [M, N, K].every((size) => size === side),
  )
  const hasFeatures = matrixFeatures.every((name) => adapter.features.has(name))
  return hasForm && hasFeatures && subgroupMinSize === lanes && subgroupMaxSize === lanes
}
