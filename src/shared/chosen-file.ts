/** A file or folder that was chosen or dropped. */
export interface ChosenFile {
  readonly token: string
  readonly name: string
  /** A session is a .clab; `run`: a run.json, which is verified rather than opened. */
  readonly kind: 'file' | 'folder' | 'run' | 'session'
}
