export default {
  keyboardShortcuts: 'Keyboard shortcuts',
  whereTheFocusIs: 'Where the focus is',
  nameACluster: 'Name a cluster',
  writeANoteAboutARun: 'Write a note about a run',
  removeARun: 'Remove a run',
  delete: 'Delete',
  zoomAPlot: 'Zoom a plot in, out, to all of it',
  walkInAPlotOrTable: 'Walk in a plot or a table',
  selectARow: 'Select a row',
  space: 'Space',
  closeADialogOrASelection: 'Close a dialog, end a selection',
}
