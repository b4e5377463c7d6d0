/** The frame of the portal's pages. */
import type { ComponentChildren } from 'preact'

import { A } from '../components/basics.js'
import { DiscardDialog } from '../components/discard-dialog.js'
import { NoticeList } from '../components/notice-list.js'
import { instanceName, logoUrl } from './branding.js'
import { formatUntil, now } from './format.js'
import { requestSignOut } from './request-sign-out.js'
import { portal, portalHome } from './portal.js'
import { ThemeSwitch } from './theme-switch.js'

export function PortalShell({ children }: { children: ComponentChildren }) {
  return (
    <>
      <a class="skip" href="#page">
        Skip to content
      </a>
      <div class="portal">
        <header class="portal-top">
          <div class="portal-head">
            <A to={portalHome() ?? '/'} class="brand">
              <img class="logo" src={logoUrl} alt="" />
              <span class="brand-name">{instanceName}</span>
            </A>
            <div class="row">
              {portal.value && (
                <span class="muted small-text">
                  Access ends in {formatUntil(portal.value.expires_at, now.value)}
                </span>
              )}
              <ThemeSwitch />
              <button type="button" class="quiet small" onClick={() => requestSignOut()}>
                Sign out
              </button>
            </div>
          </div>
        </header>
        <main id="page" tabIndex={-1}>
          {children}
        </main>
      </div>
      <NoticeList />
      <DiscardDialog />
    </>
  )
}
