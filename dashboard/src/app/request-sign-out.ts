import { showNotice } from './notices.js'
import { signOut } from './session.js'
import { leaveForm } from './unsaved-changes.js'

/** Signs out, unless the user keeps editing a form. */
export function requestSignOut(options: { everywhere?: boolean } = {}): void {
  leaveForm(() => {
    signOut(options).catch((error: unknown) =>
      showNotice(error instanceof Error ? error.message : 'Could not sign out. Try again.', null, true),
    )
  })
}
