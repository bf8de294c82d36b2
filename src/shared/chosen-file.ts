/** A file or folder that was chosen or dropped. */
export interface ChosenFile {
  readonly token: string
  readonly name: string
  /** A session is a .clab. */
  readonly kind: 'file' | 'folder' | 'session'
}
