/** A list of records: a table with one line per row, or two lines per row in a narrow window. */
import type { ComponentChildren } from 'preact'

import { openClickedRow } from '../app/rows.js'
import { getSortDirection, nextOrder, setOrder } from './list-order.js'
import type { Order } from './list-order.js'
import { getListView, windowSize } from './list-view.js'
import type { WindowSize } from './list-view.js'

export interface ListColumn<Row> {
  name: string
  cell: (row: Row) => ComponentChildren
  /** The whole text of a cell that may be cut off. */
  title?: (row: Row) => string | undefined
  /** In pixels. Columns without a width share the remaining space. */
  width?: number
  isRightAligned?: boolean
  /** The orders that the header offers. The first click selects the first. */
  orders?: readonly Order[]
  isHiddenAtFirst?: boolean
  /** Only a wide window has room for the column. */
  isWide?: boolean
  /** The line that ends with this column in a narrow window. Columns without a line are hidden there. */
  narrowLine?: 1 | 2
}

interface RowSelection<Row> {
  selected: ReadonlySet<string>
  /** The label of a checkbox. */
  getRowLabel: (row: Row) => string
  onToggle: (keys: readonly string[], isOn: boolean) => void
}

interface ListProps<Row> {
  /** The name under which the browser remembers the columns and the density. */
  name: string
  label: string
  /** The first column names the row and is always shown. */
  columns: readonly ListColumn<Row>[]
  rows: readonly Row[]
  getRowKey: (row: Row) => string
  /** The second line in a narrow window. */
  summary: (row: Row) => ComponentChildren
  /** Opens a row that has no page. Otherwise, the first column is the link to the page of the row. */
  onOpen?: (row: Row) => void
  selection?: RowSelection<Row> | undefined
}

export function List<Row>(props: ListProps<Row>) {
  return windowSize.value === 'narrow' ? <Lines {...props} /> : <Table {...props} />
}

/** Returns the columns that a window has room for. */
export function columnsFor<ShownColumn extends Pick<ListColumn<never>, 'isWide' | 'narrowLine'>>(
  columns: readonly ShownColumn[],
  size: WindowSize,
): ShownColumn[] {
  if (size === 'narrow') return columns.filter(({ narrowLine }, index) => index === 0 || narrowLine)
  return columns.filter(({ isWide = false }) => size === 'wide' || !isWide)
}

function shownColumns<Row>({ name, columns }: Pick<ListProps<Row>, 'name' | 'columns'>): ListColumn<Row>[] {
  const choice = getListView(name).columns
  return columnsFor(columns, windowSize.value).filter(
    (column, index) => index === 0 || (choice[column.name] ?? !column.isHiddenAtFirst),
  )
}

function Table<Row>(props: ListProps<Row>) {
  const { name, label, rows, getRowKey, selection } = props
  const columns = shownColumns(props)
  return (
    <div class="table-wrap" role="region" aria-label={`${label}, table`}>
      <table class={`list ${getListView(name).density}`}>
        <thead>
          <tr>
            {selection && (
              <th scope="col" class="select">
                <SelectAll keys={rows.map(getRowKey)} selection={selection} />
              </th>
            )}
            {columns.map((column) => (
              <Header key={column.name} column={column} />
            ))}
          </tr>
        </thead>
        <tbody onClick={openClickedRow}>
          {rows.map((row) => (
            <tr key={getRowKey(row)} class={selection?.selected.has(getRowKey(row)) ? 'chosen' : ''}>
              {selection && (
                <td class="select">
                  <SelectRow row={row} rowKey={getRowKey(row)} selection={selection} />
                </td>
              )}
              {columns.map((column) => (
                <td
                  key={column.name}
                  class={column.isRightAligned ? 'num' : ''}
                  data-name={column.name}
                  title={column.title?.(row)}
                >
                  {column === columns[0] ? <MainCell {...props} row={row} /> : column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Header({
  column: { name, width, isRightAligned = false, orders = [] },
}: {
  column: ListColumn<never>
}) {
  const direction = getSortDirection(orders)
  const [next, text] = nextOrder(orders)
  return (
    <th
      scope="col"
      class={isRightAligned ? 'num' : ''}
      data-name={name}
      style={width === undefined ? {} : { width: `${width}px` }}
      aria-sort={direction}
    >
      {orders.length === 0 ? (
        name
      ) : (
        <button type="button" class="order" title={`Sort: ${text}`} onClick={() => setOrder(next)}>
          {name}
          <span class={direction ? '' : 'order-hint'} aria-hidden="true">
            {(direction ?? (orders[0]![0].startsWith('-') ? 'descending' : '')) === 'descending' ? '↓' : '↑'}
          </span>
        </button>
      )}
    </th>
  )
}

function Lines<Row>(props: ListProps<Row>) {
  const { name, label, rows, getRowKey, summary, selection } = props
  const [, ...others] = shownColumns(props)
  const ends = (line: 1 | 2) => others.filter(({ narrowLine }) => narrowLine === line)
  return (
    <>
      {selection && (
        <label class="row small-text muted">
          <SelectAll keys={rows.map(getRowKey)} selection={selection} /> Select all
        </label>
      )}
      <ul class={`list-lines ${getListView(name).density}`} aria-label={label} onClick={openClickedRow}>
        {rows.map((row) => (
          <li key={getRowKey(row)} class={selection?.selected.has(getRowKey(row)) ? 'chosen' : ''}>
            {selection && <SelectRow row={row} rowKey={getRowKey(row)} selection={selection} />}
            <div class="list-line">
              <div class="list-text">
                <MainCell {...props} row={row} />
              </div>
              <Ends columns={ends(1)} row={row} />
            </div>
            <div class="list-line small-text muted">
              <div class="list-text">{summary(row)}</div>
              <Ends columns={ends(2)} row={row} />
            </div>
          </li>
        ))}
      </ul>
    </>
  )
}

function MainCell<Row>({ columns, row, onOpen }: ListProps<Row> & { row: Row }) {
  const [main] = columns
  if (!onOpen) return <>{main?.cell(row)}</>
  return (
    <button
      type="button"
      class="row-button"
      data-row=""
      title={main?.title?.(row)}
      onClick={() => onOpen(row)}
    >
      {main?.cell(row)}
    </button>
  )
}

function Ends<Row>({ columns, row }: { columns: readonly ListColumn<Row>[]; row: Row }) {
  return (
    <>
      {columns.map(({ name, cell }) => (
        <span key={name} title={name}>
          {cell(row)}
        </span>
      ))}
    </>
  )
}

interface SelectAllProps {
  keys: readonly string[]
  selection: Pick<RowSelection<never>, 'selected' | 'onToggle'>
}

function SelectAll({ keys, selection: { selected, onToggle } }: SelectAllProps) {
  const areAllSelected = keys.every((key) => selected.has(key))
  return (
    <input
      type="checkbox"
      aria-label={`Select all ${keys.length} rows on this page`}
      checked={areAllSelected}
      onChange={() => onToggle(keys, !areAllSelected)}
    />
  )
}

interface SelectRowProps<Row> {
  row: Row
  rowKey: string
  selection: RowSelection<Row>
}

function SelectRow<Row>({
  row,
  rowKey,
  selection: { selected, getRowLabel, onToggle },
}: SelectRowProps<Row>) {
  return (
    <input
      type="checkbox"
      aria-label={getRowLabel(row)}
      checked={selected.has(rowKey)}
      onChange={(event) => onToggle([rowKey], event.currentTarget.checked)}
    />
  )
}
