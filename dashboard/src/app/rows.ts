/** Opens and selects rows of lists. The main link or button of a row has `data-row`. */

const controls = 'a, button, input, label, select, summary, textarea'
const rows = ':is(tr, li):has([data-row])'

/** Opens the row under a click, unless the click hit a control or ended a text selection. */
export function openClickedRow(event: MouseEvent): void {
  const { target, shiftKey, altKey } = event
  if (!(target instanceof Element) || target.closest(controls) || shiftKey || altKey) return
  if (getSelection()?.type === 'Range') return
  const opener = openerIn(findEnclosingRow(target))
  if (!opener) return
  const wantsTab = event.ctrlKey || event.metaKey
  if (wantsTab && opener instanceof HTMLAnchorElement) open(opener.href, '_blank', 'noopener')
  else opener.click()
}

/** Moves the focus to the next or previous row. */
export function focusRow(by: 1 | -1): boolean {
  const openers = [...document.querySelectorAll<HTMLElement>('[data-row]')]
  const focused = openerIn(focusedRow())
  const at = focused ? openers.indexOf(focused) : -1
  const next = openers[Math.min(openers.length - 1, Math.max(0, at === -1 ? 0 : at + by))]
  next?.focus()
  return next !== undefined
}

export function openRow(): boolean {
  const opener = openerIn(currentRow())
  opener?.click()
  return opener !== null
}

export function toggleRow(): boolean {
  const checkbox = currentRow()?.querySelector<HTMLElement>('input[type=checkbox]') ?? null
  checkbox?.click()
  return checkbox !== null
}

function focusedRow(): Element | null {
  return findEnclosingRow(document.activeElement)
}

/** Returns the focused row, or the row under the pointer. */
function currentRow(): Element | null {
  return focusedRow() ?? document.querySelector(`${rows}:hover`)
}

function findEnclosingRow(element: Element | null): Element | null {
  return element?.closest(rows) ?? null
}

function openerIn(row: Element | null): HTMLElement | null {
  return row?.querySelector<HTMLElement>('[data-row]') ?? null
}
