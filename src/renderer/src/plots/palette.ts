/** How the clusters of a result look and are called, in every plot and table alike. */
import { clusterColour, clusterShape, cssColour, pixelOf, type ClusterShape, type Rgb } from './colours'

/** What a person changed of one cluster; what is absent stays as the palette has it. */
export interface ClusterLook {
  readonly name?: string
  readonly colour?: Rgb
}

/** By cluster index. */
export type ClusterLooks = ReadonlyMap<number, ClusterLook>

export interface Palette {
  readonly k: number
  rgb(cluster: number): Rgb
  css(cluster: number): string
  shape(cluster: number): ClusterShape
  /** The name given, or the cluster's number. */
  name(cluster: number): string
  /** (k) opaque ImageData pixels, little-endian words. */
  readonly pixels: Uint32Array
}

/** The same clusters without their colours, where colours stand for something else. */
export function colourless(palette: Palette): Palette {
  const grey: Rgb = [128, 128, 128]
  return {
    ...palette,
    rgb: () => grey,
    css: () => cssColour(grey),
    pixels: new Uint32Array(palette.k).fill(pixelOf(grey)),
  }
}

/** The colours of k clusters with a person's own changes. */
export function paletteOf(k: number, looks: ClusterLooks = new Map()): Palette {
  const rgb = (cluster: number): Rgb => looks.get(cluster)?.colour ?? clusterColour(cluster, k)
  return {
    k,
    rgb,
    css: (cluster) => cssColour(rgb(cluster)),
    shape: clusterShape,
    name: (cluster) => looks.get(cluster)?.name ?? String(cluster),
    pixels: Uint32Array.from({ length: k }, (_, cluster) => pixelOf(rgb(cluster))),
  }
}
