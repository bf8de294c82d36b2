/** @typedef {Record<string, string> | undefined} Versions */
/** @typedef {{ dependencies?: Versions, devDependencies?: Versions, optionalDependencies?: Versions }} Manifest */
/** @typedef {{ version?: string, integrity?: string | undefined, resolved?: string, link?: boolean, inBundle?: boolean }} Locked */
/** @typedef {{ packages: Record<string, Locked> }} Lock */

const exactVersion = /^\d+\.\d+\.\d+(?:-[\w.]+)?$/
const strongHash = /^sha512-[A-Za-z0-9+/]{86}==$/

/**
 * What of the dependencies could be another thing tomorrow, or on another machine: a range instead of a version, a version that the lock
 * file does not hold, a package without a strong hash, or one that is no package of the registry.
 * @param {Manifest} manifest
 * @param {Lock} lock
 * @returns {string[]} a sentence each
 */
export function unpinned({ dependencies, devDependencies, optionalDependencies }, { packages }) {
  const asked = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
  const locked = Object.entries(packages).filter(([path]) => path !== '')
  return [
    ...asked
      .filter(([, version]) => !exactVersion.test(version))
      .map(([name, version]) => `${name} is asked for as ${version}, which is not one version.`),
    ...asked
      .filter(([name, version]) => packages[`node_modules/${name}`]?.version !== version)
      .map(([name, version]) => `${name} ${version} is not what package-lock.json holds.`),
    ...locked
      // What comes inside another package is covered by the hash of that.
      .filter(([, { integrity, inBundle }]) => !inBundle && !strongHash.test(integrity ?? ''))
      .map(([path]) => `${path} has no sha512 hash in package-lock.json.`),
    ...locked
      .filter(([, { link, resolved }]) => link || /^(?:git|file|http:)/.test(resolved ?? ''))
      .map(([path]) => `${path} comes from elsewhere than a registry.`),
  ]
}
