/** The cell the keyboard is on. Position -1 is the header. */
import { ref } from 'vue'

interface Grid {
  readonly rows: () => number
  readonly columns: () => number
  /** Rows that fit on the screen. */
  readonly page: () => number
  /** Brings a cell into sight. */
  readonly show: (position: number, column: number) => void
}

export interface ActiveCell {
  readonly position: number
  readonly column: number
}

type Move = (cell: ActiveCell, grid: Grid, whole: boolean) => Partial<ActiveCell>

const moves: Readonly<Record<string, Move>> = {
  ArrowUp: ({ position }) => ({ position: position - 1 }),
  ArrowDown: ({ position }) => ({ position: position + 1 }),
  ArrowLeft: ({ column }) => ({ column: column - 1 }),
  ArrowRight: ({ column }) => ({ column: column + 1 }),
  PageUp: ({ position }, { page }) => ({ position: Math.max(0, position - page()) }),
  PageDown: ({ position }, { page }) => ({ position: position + page() }),
  Home: ({ position }, _grid, whole) => ({ column: 0, position: whole ? 0 : position }),
  End: ({ position }, { rows, columns }, whole) => ({
    column: columns() - 1,
    position: whole ? rows() - 1 : position,
  }),
}

export function useActiveCell(grid: Grid) {
  const active = ref<ActiveCell>({ position: 0, column: 0 })

  function set({ position, column }: ActiveCell): void {
    active.value = {
      position: Math.max(-1, Math.min(grid.rows() - 1, position)),
      column: Math.max(0, Math.min(grid.columns() - 1, column)),
    }
    grid.show(active.value.position, active.value.column)
  }

  /** @returns whether the key moves the cell */
  function move({ key, ctrlKey, metaKey }: KeyboardEvent): boolean {
    const step = moves[key]
    if (step === undefined) return false
    set({ ...active.value, ...step(active.value, grid, ctrlKey || metaKey) })
    return true
  }

  return { active, set, move }
}
