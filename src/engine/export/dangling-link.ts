import { lstatSync } from 'node:fs'
import { LabError } from '@shared/errors'

/** Of a name under which nothing is found: is it taken by a link, whose file or folder is gone? */
export function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
}

export function leadsNowhere(link: string, what: 'file' | 'folder'): LabError {
  const message = `${link} is a link to what is not there: remove it, or choose another ${what}.`
  return new LabError('io', 'export.dangling-link', message)
}
