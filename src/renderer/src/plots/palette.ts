/** How the clusters of a result look and are called, in every plot and table alike. */
import {
  clusterColour,
  clusterShape,
  clusterShapes,
  cssColour,
  pixelOf,
  type ClusterShape,
  type Rgb,
} from './colours'

/** What a person changed of one cluster; what is absent stays as the palette has it. */
export interface ClusterLook {
  readonly name?: string
  readonly colour?: Rgb
}

/** A position in the palette for `size` clusters. */
export interface ColourSlot {
  readonly position: number
  readonly size: number
}

/** The slot of each cluster, where it is not its own number: the colours of an earlier result, kept. */
export type ColourSlots = readonly ColourSlot[]

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
  /** (k) place in `clusterShapes` of each. */
  readonly shapes: Uint8Array
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
export function paletteOf(k: number, looks: ClusterLooks = new Map(), slots?: ColourSlots): Palette {
  const slot = (cluster: number): ColourSlot => slots?.[cluster] ?? { position: cluster, size: k }
  const at = (cluster: number): number => slot(cluster).position
  const rgb = (cluster: number): Rgb =>
    looks.get(cluster)?.colour ?? clusterColour(at(cluster), slot(cluster).size)
  return {
    k,
    rgb,
    css: (cluster) => cssColour(rgb(cluster)),
    shape: (cluster) => clusterShape(at(cluster)),
    name: (cluster) => looks.get(cluster)?.name ?? String(cluster),
    shapes: Uint8Array.from({ length: k }, (_, cluster) => clusterShapes.indexOf(clusterShape(at(cluster)))),
    pixels: Uint32Array.from({ length: k }, (_, cluster) => pixelOf(rgb(cluster))),
  }
}
