import { at } from './project.mjs'

/** Pixels of the icons in build/icons, which are painted by scripts/render-icons.mjs. */
export const iconSizes = [16, 24, 32, 48, 64, 128, 256, 512]

/**
 * Icons by where a desktop looks for them, below share/icons/hicolor.
 * @returns {{from: string, to: string}[]}
 */
export function desktopIcons() {
  const painted = iconSizes.map((size) => ({
    from: at('build', 'icons', `${size}x${size}.png`),
    to: `${size}x${size}/apps/centroid-lab.png`,
  }))
  return [
    ...painted,
    { from: at('build', 'icons', 'centroid-lab.svg'), to: 'scalable/apps/centroid-lab.svg' },
  ]
}
