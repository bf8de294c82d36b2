/** A file or folder that was chosen or dropped. */
export interface ChosenFile {
  readonly token: string
  readonly name: string
  readonly kind: 'file' | 'folder'
}
