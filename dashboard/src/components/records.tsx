/** A table whose columns are declared by name and content. */
import type { ComponentChildren } from 'preact'

export interface Column<Row> {
  name: string
  /** Shows the name only to screen readers, because the cells explain themselves. */
  isUntitled?: boolean
  cell: (row: Row) => ComponentChildren
  isRightAligned?: boolean
  class?: string
}

/**
 * A table of records. On a narrow page, CSS stacks the cells of a row, each with the name of its column. The explicit
 * roles keep the table semantics, which browsers drop when the elements are not displayed as a table.
 */
export function Records<Row>({
  label,
  columns,
  rows,
  getRowKey,
}: {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  getRowKey: (row: Row) => string
}) {
  return (
    <div class="table-wrap" role="region" aria-label={`${label}, table`} tabIndex={0}>
      <table class="records" role="table">
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <th key={column.name} scope="col" role="columnheader" class={getColumnClass(column)}>
                {column.isUntitled ? <span class="hidden-text">{column.name}</span> : column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={getRowKey(row)} role="row">
              {columns.map((column) => (
                <td
                  key={column.name}
                  role="cell"
                  class={getColumnClass(column)}
                  data-name={column.isUntitled ? undefined : column.name}
                >
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function getColumnClass({ isRightAligned = false, class: own = '' }: Column<never>): string {
  return `${own} ${isRightAligned ? 'num' : ''}`.trim()
}
