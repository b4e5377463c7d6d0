/** A table of records, whose columns are declared with their name and their content. */
import type { ComponentChildren } from 'preact'

export interface Column<Row> {
  name: string
  cell: (row: Row) => ComponentChildren
  isNumber?: boolean
  class?: string
}

/**
 * On a narrow page each row is a stack: its first cell, and below it the others with the names of their columns. The
 * roles keep the meaning of the elements there, although CSS no longer displays them as a table.
 */
export function Records<Row>({
  label,
  columns,
  rows,
  keyOf,
}: {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
}) {
  return (
    <div class="table-wrap" role="region" aria-label={`${label}, table`} tabIndex={0}>
      <table class="records" role="table">
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <th key={column.name} scope="col" role="columnheader" class={classOf(column)}>
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={keyOf(row)} role="row">
              {columns.map((column) => (
                <td key={column.name} role="cell" class={classOf(column)} data-name={column.name}>
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

function classOf({ isNumber = false, class: own = '' }: Column<never>): string {
  return `${own} ${isNumber ? 'num' : ''}`.trim()
}
