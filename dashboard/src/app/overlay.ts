import { signal } from '@preact/signals'

/** The dialog that the shell shows over any page. */
export const overlay = signal<'palette' | 'shortcuts' | null>(null)

export function openPalette(): void {
  overlay.value = 'palette'
}

export function closeOverlay(): void {
  overlay.value = null
}
