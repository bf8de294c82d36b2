/** Questions about sessions, asked by dialogs of the system. */
export default {
  openTitle: 'Open a table or a session',
  sessionTitle: 'Open a session',
  saveTitle: 'Save the session',
  sessions: 'Sessions',
  openable: 'Tables and sessions',
  untitled: 'Untitled',
  andMore: '{0} and {1} more',
  ask: 'Save the session {0}?',
  askDetail:
    'It has runs or notes that are not saved. Without saving they stay on this computer, and the first screen offers them until you discard them.',
  save: 'Save',
  leave: "Don't save",
  cancel: 'Cancel',
  moved: '{0} file was moved | {0} files were moved',
  movedDetail:
    'Not where this session had them: {0}. Choose a folder: files in it, and in the folders below, are recognised by their contents.',
  chooseFolder: 'Choose a folder…',
  without: 'Open without',
  whereTitle: 'Where the files are now',
  look: 'Look here',
  closeDataset: 'Close {0} and delete its run? | Close {0} and delete its {1} runs?',
  closeDetail: 'The data file stays. The runs leave this session.',
  close: 'Close and delete',
  locateTitle: 'Locate the file',
}
