/** Forms with unsaved changes, and the question before the changes are lost. */
import { signal } from '@preact/signals'
import { useLayoutEffect } from 'preact/hooks'

interface ChangedForm {
  isKeptOnPage: boolean
}

const changedForms = new Set<ChangedForm>()

/** Closes the open discard dialog with an answer. Null if no dialog is open. */
export const discardQuestion = signal<((isDiscarded: boolean) => void) | null>(null)

/**
 * Asks before the user leaves the page while `isChanged` is true. A form with `isKeptOnPage` stays on the page when only
 * the query of the URL changes.
 */
export function useUnsavedChanges(isChanged: boolean, { isKeptOnPage = false } = {}): void {
  useLayoutEffect(() => {
    if (!isChanged) return undefined
    const form = { isKeptOnPage }
    changedForms.add(form)
    // Some browsers do not cache pages with this listener, so it exists only while it is needed.
    addEventListener('beforeunload', askBrowserToConfirm)
    return () => {
      changedForms.delete(form)
      if (changedForms.size > 0) return
      removeEventListener('beforeunload', askBrowserToConfirm)
      // A saved form closes without waiting for the answer.
      discardQuestion.value?.(false)
    }
  }, [isChanged, isKeptOnPage])
}

export function losesChanges({ isSamePage }: { isSamePage: boolean }): boolean {
  return [...changedForms].some(({ isKeptOnPage }) => !(isKeptOnPage && isSamePage))
}

export function askToDiscard(): Promise<boolean> {
  discardQuestion.value?.(false)
  return new Promise((resolve) => {
    discardQuestion.value = (isDiscarded) => {
      discardQuestion.value = null
      resolve(isDiscarded)
    }
  })
}

/** Runs `step`, which leaves the form, unless the user keeps editing. */
export function leaveForm(step: () => void, isSamePage = false): void {
  if (!losesChanges({ isSamePage })) return step()
  void askToDiscard().then((isDiscarded) => {
    if (isDiscarded) step()
  })
}

/** Compares the values of a form, which can be lists and objects. */
export function isDifferent<T>(values: T, initialValues: T): boolean {
  return JSON.stringify(values) !== JSON.stringify(initialValues)
}

/** Returns the values that differ. */
export function changedValues<T extends object>(values: T, initialValues: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) =>
      isDifferent<unknown>(value, initialValues[name as keyof T]),
    ),
  ) as Partial<T>
}

function askBrowserToConfirm(event: BeforeUnloadEvent): void {
  event.preventDefault()
}
