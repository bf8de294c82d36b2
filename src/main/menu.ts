import { app, Menu, type MenuItemConstructorOptions } from 'electron'
import type { MenuCommand } from '@shared/ipc'

/** The native menu. Commands go to the page, which knows what is possible at the moment. */
export function buildMenu(send: (command: MenuCommand) => void): void {
  const command = (label: string, name: MenuCommand, accelerator?: string): MenuItemConstructorOptions => ({
    label,
    ...(accelerator === undefined ? {} : { accelerator }),
    click: () => send(name),
  })
  const view: MenuItemConstructorOptions[] = [
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    { role: 'zoomOut' },
    { type: 'separator' },
    { role: 'togglefullscreen' },
  ]
  if (!app.isPackaged) view.push({ type: 'separator' }, { role: 'toggleDevTools' })
  const template: MenuItemConstructorOptions[] = [
    {
      label: '&File',
      submenu: [
        command('&Open…', 'open', 'CommandOrControl+O'),
        { type: 'separator' },
        command('Export &labels…', 'export-labels', 'CommandOrControl+E'),
        command('Export &centroids…', 'export-centroids', 'CommandOrControl+Shift+E'),
        { type: 'separator' },
        { role: 'quit' },
      ],
    },
    { role: 'editMenu' },
    {
      label: '&Clustering',
      submenu: [
        command('&Run', 'run', 'CommandOrControl+R'),
        command('&Cancel', 'cancel', 'CommandOrControl+.'),
      ],
    },
    { label: '&View', submenu: view },
    { role: 'help', submenu: [{ role: 'about' }] },
  ]
  Menu.setApplicationMenu(Menu.buildFromTemplate(template))
}
