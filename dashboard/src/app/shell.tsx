/** The frame of every page: menu, current token and notices. */
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect } from 'preact/hooks'

import { A } from '../components/basics.js'
import { DiscardDialog } from '../components/discard-dialog.js'
import { Icon } from '../components/icon.js'
import { NoticeList } from '../components/notice-list.js'
import { ShortcutsDialog } from '../components/shortcuts-dialog.js'
import { Palette } from '../palette/palette.js'
import { instanceName, logoUrl } from './branding.js'
import { keepFocus } from './focus.js'
import { listenToKeys } from './keyboard.js'
import { requestSignOut } from './request-sign-out.js'
import { mainPages, settingsPages } from './menu-pages.js'
import type { MenuPage } from './menu-pages.js'
import { closeOverlay, openPalette, overlay } from './overlay.js'
import { place } from './router.js'
import { me } from './session-state.js'
import { paletteKeys } from './shortcuts.js'
import { ThemeSwitch } from './theme-switch.js'

export function Shell({ children }: { children: ComponentChildren }) {
  useLayoutEffect(listenToKeys, [])
  useEffect(keepFocus, [])
  return (
    <>
      <a class="skip" href="#page">
        Skip to content
      </a>
      <div class="shell">
        <header class="top">
          <Brand />
          <button type="button" class="quiet icon-only palette-icon" onClick={openPalette}>
            <Icon name="search" />
            <span class="hidden-text">Search and commands</span>
          </button>
          <button type="button" class="menu-button" popovertarget="places">
            Menu
          </button>
        </header>
        <Places />
        <main id="page" tabIndex={-1}>
          {children}
        </main>
      </div>
      <NoticeList />
      {overlay.value === 'palette' && <Palette onClose={closeOverlay} />}
      {overlay.value === 'shortcuts' && <ShortcutsDialog onClose={closeOverlay} />}
      <DiscardDialog />
    </>
  )
}

function Brand() {
  return (
    <A to="/" class="brand">
      <img class="logo" src={logoUrl} alt="" />
      <span class="brand-name" title={instanceName}>
        {instanceName}
      </span>
    </A>
  )
}

function Places() {
  const { path } = place.value
  useEffect(() => {
    const side = document.getElementById('places')
    if (side?.matches(':popover-open')) side.hidePopover()
  }, [path])
  return (
    <aside class="side" aria-label="Menu" id="places" popover="auto">
      <Brand />
      <button type="button" class="palette-button" onClick={openPalette}>
        <Icon name="search" />
        <span>Search</span>
        <span class="hidden-text"> and commands</span>
        <kbd aria-hidden="true">{paletteKeys}</kbd>
      </button>
      <nav aria-label="Main">
        <div class="places">{mainPages.map((each) => placeLink(each, path))}</div>
        <div class="places-title">Settings</div>
        <div class="places">{settingsPages.map((each) => placeLink(each, path))}</div>
      </nav>
      <div class="who">
        <span class="who-name muted" title="You are signed in with this token">
          Token: {me.value?.name}
        </span>
        <ThemeSwitch />
        <button type="button" class="quiet small" onClick={() => (overlay.value = 'shortcuts')}>
          Keyboard shortcuts
        </button>
        <a class="button quiet small" href="/docs" target="_blank" rel="noopener">
          API reference
        </a>
        <button type="button" class="quiet small" onClick={() => requestSignOut()}>
          Sign out
        </button>
        <button type="button" class="quiet small" onClick={() => requestSignOut({ everywhere: true })}>
          Sign out everywhere
        </button>
      </div>
    </aside>
  )
}

function placeLink({ path: to, name, icon }: MenuPage, path: string) {
  const isHere = to === '/' ? path === '/' : path === to || path.startsWith(`${to}/`)
  return (
    <A key={to} to={to} {...(isHere ? { 'aria-current': 'page' as const } : {})}>
      <Icon name={icon} />
      {name}
    </A>
  )
}
