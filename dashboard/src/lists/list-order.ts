/** The order of a list, which is part of the URL. */
import { getQueryParameter, setQuery } from '../app/router.js'

/** A minus sign means descending. */
export type Order = readonly [value: string, text: string]

const newestFirst = '-created_at'

export const ordersByCreation: readonly Order[] = [
  [newestFirst, 'Newest first'],
  ['created_at', 'Oldest first'],
]

export function currentOrder(): string {
  return getQueryParameter('sort') || newestFirst
}

export function setOrder(order: string): void {
  setQuery({ sort: order === newestFirst ? null : order })
}

/** Returns the order that a click on the header selects. A single order alternates with newest first. */
export function nextOrder(orders: readonly Order[]): Order {
  const at = orders.findIndex(([value]) => value === currentOrder())
  return orders[at + 1] ?? (orders.length > 1 ? orders[0] : undefined) ?? ordersByCreation[0]!
}

export function getSortDirection(orders: readonly Order[]): 'ascending' | 'descending' | undefined {
  const current = currentOrder()
  if (!orders.some(([value]) => value === current)) return undefined
  return current.startsWith('-') ? 'descending' : 'ascending'
}

type Value = string | number | null
const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** Sorts rows by the value that the current order names. Missing values are last. */
export function sortRows<Row>(
  rows: readonly Row[],
  values: Readonly<Record<string, (row: Row) => Value>>,
): readonly Row[] {
  const order = currentOrder()
  const name = order.replace(/^-/, '')
  const getSortValue = Object.hasOwn(values, name) ? values[name] : undefined
  if (!getSortValue) return rows
  const sign = order.startsWith('-') ? -1 : 1
  return [...rows].sort((one, other) => compareValues(getSortValue(one), getSortValue(other), sign))
}

function compareValues(one: Value, other: Value, sign: number): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null)
  if (typeof one === 'number' && typeof other === 'number') return sign * (one - other)
  return sign * collator.compare(String(one), String(other))
}
