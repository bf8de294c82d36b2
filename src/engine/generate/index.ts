export { validateGeneratorSpec } from '@shared/generator-limits'
export { generateDataset, generatedBytes } from './dataset'
export { generatePoints, type GeneratedPoints } from './points'
export { writeGenerated } from './write'
