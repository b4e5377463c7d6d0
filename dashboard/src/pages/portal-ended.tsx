import { instanceName, logoUrl } from '../app/branding.js'

/** Shown in the portal without a session. Only a new link starts another one. */
export function PortalEnded() {
  document.title = `Webhook portal · ${instanceName}`
  return (
    <div class="sign-in">
      <main>
        <div class="sign-in-head">
          <img class="logo" src={logoUrl} alt="" />
          <h1>This link is no longer valid</h1>
        </div>
        <p class="card">
          A portal link works once, in one browser, and for a limited time. Ask the sender for a new one.
        </p>
      </main>
    </div>
  )
}
