/** The controls of a list: columns and density, and the order in a narrow window, which shows no headers. */
import { useId, useRef } from 'preact/hooks'

import { Tabs } from '../components/basics.js'
import { Select } from '../components/form.js'
import { currentOrder, setOrder } from './list-order.js'
import { changeView, getListView, windowSize } from './list-view.js'
import type { Density } from './list-view.js'
import { columnsFor } from './list.js'
import type { ListColumn } from './list.js'

type MenuColumn = Pick<ListColumn<never>, 'name' | 'orders' | 'isHiddenAtFirst' | 'isWide' | 'narrowLine'>

interface ControlsProps {
  /** The name of the list. */
  name: string
  columns: readonly MenuColumn[]
}

const densities = [
  ['comfortable', 'Comfortable'],
  ['compact', 'Compact'],
] as const

export function ListControls({ name, columns }: ControlsProps) {
  const orders = columns.flatMap((column) => column.orders ?? [])
  return (
    <div class="list-controls">
      {windowSize.value === 'narrow' && orders.length > 0 && (
        <Select label="Sort" value={currentOrder()} options={orders} onPick={setOrder} />
      )}
      <ColumnsMenu name={name} columns={columns} />
    </div>
  )
}

const menuWidth = 244
const menuMargin = 8

function ColumnsMenu({ name, columns }: ControlsProps) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLDivElement>(null)
  const view = getListView(name)
  // Not all browsers can position a popover next to its button with CSS.
  const placeMenu = () => {
    if (!button.current || !menu.current) return
    const { right, bottom } = button.current.getBoundingClientRect()
    Object.assign(menu.current.style, {
      top: `${bottom + scrollY + 4}px`,
      left: `${Math.max(menuMargin, right - menuWidth)}px`,
      width: `${menuWidth}px`,
    })
  }
  return (
    <>
      <button ref={button} type="button" popovertarget={id}>
        Columns
      </button>
      <div ref={menu} id={id} popover="auto" class="columns-menu" onBeforeToggle={placeMenu}>
        <fieldset>
          <legend>Columns</legend>
          {columnsFor(columns, windowSize.value)
            .slice(1)
            .map(({ name: column, isHiddenAtFirst = false }) => (
              <label key={column} class="check">
                <input
                  type="checkbox"
                  checked={view.columns[column] ?? !isHiddenAtFirst}
                  onChange={({ currentTarget: { checked } }) =>
                    changeView(name, { columns: { ...view.columns, [column]: checked } })
                  }
                />
                {column}
              </label>
            ))}
        </fieldset>
        <Tabs
          label="Density"
          tabs={densities}
          current={view.density}
          onPick={(density) => changeView(name, { density: density as Density })}
        />
      </div>
    </>
  )
}
