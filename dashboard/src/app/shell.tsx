/** The frame of every page: menu, current token and notices. */
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'

import { A } from '../components/basics.js'
import { Dialog } from '../components/dialog.js'
import { DiscardDialog } from '../components/discard-dialog.js'
import { Icon } from '../components/icon.js'
import type { IconName } from '../components/icon.js'
import { NoticeList } from '../components/notice-list.js'
import { instanceName, logoUrl } from './branding.js'
import { keepFocus } from './focus.js'
import { listenToKeys, shortcuts } from './keyboard.js'
import { showNotice } from './notices.js'
import { place } from './router.js'
import { me, signOut } from './session.js'
import { theme } from './theme.js'
import { ThemeSwitch } from './theme-switch.js'

type PlaceLink = readonly [to: string, text: string, icon: IconName]

const places: readonly PlaceLink[] = [
  ['/', 'Overview', 'overview'],
  ['/links', 'Links', 'links'],
  ['/webhooks', 'Webhooks', 'webhooks'],
  ['/events', 'Events', 'events'],
]
const settings: readonly PlaceLink[] = [
  ['/settings/tokens', 'API tokens', 'tokens'],
  ['/settings/audit-log', 'Audit log', 'audit'],
  ['/settings/service', 'Service', 'service'],
]

export function Shell({ children }: { children: ComponentChildren }) {
  const [showsKeys, setShowsKeys] = useState(false)
  useEffect(() => listenToKeys(() => setShowsKeys(true)), [])
  useEffect(keepFocus, [])
  return (
    <>
      <a class="skip" href="#page">
        Skip to content
      </a>
      <div class="shell">
        <header class="top">
          <Brand />
          <button type="button" class="menu-button" popovertarget="places">
            Menu
          </button>
        </header>
        <Places onKeys={() => setShowsKeys(true)} />
        {/* Charts read their colors when they are drawn, so the page is rendered again with another theme. */}
        <main key={theme.value} id="page" tabIndex={-1}>
          {children}
        </main>
      </div>
      <NoticeList />
      {showsKeys && <Shortcuts onClose={() => setShowsKeys(false)} />}
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

function Places({ onKeys }: { onKeys: () => void }) {
  const { path } = place.value
  useEffect(() => {
    const side = document.getElementById('places')
    if (side?.matches(':popover-open')) side.hidePopover()
  }, [path])
  const leave = (everywhere: boolean) => {
    signOut({ everywhere }).catch((error: unknown) =>
      showNotice(error instanceof Error ? error.message : 'Could not sign out. Try again.', null, true),
    )
  }
  return (
    <aside class="side" aria-label="Menu" id="places" popover="auto">
      <Brand />
      <nav aria-label="Main">
        <div class="places">{places.map((each) => placeLink(each, path))}</div>
        <div class="places-title">Settings</div>
        <div class="places">{settings.map((each) => placeLink(each, path))}</div>
      </nav>
      <div class="who">
        <span class="who-name muted" title="You are signed in with this token">
          Token: {me.value?.name}
        </span>
        <ThemeSwitch />
        <button type="button" class="quiet small" onClick={onKeys}>
          Keyboard shortcuts
        </button>
        <button type="button" class="quiet small" onClick={() => leave(false)}>
          Sign out
        </button>
        <button type="button" class="quiet small" onClick={() => leave(true)}>
          Sign out everywhere
        </button>
      </div>
    </aside>
  )
}

function placeLink([to, text, icon]: PlaceLink, path: string) {
  const isHere = to === '/' ? path === '/' : path === to || path.startsWith(`${to}/`)
  return (
    <A key={to} to={to} {...(isHere ? { 'aria-current': 'page' as const } : {})}>
      <Icon name={icon} />
      {text}
    </A>
  )
}

function Shortcuts({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl class="facts">
        {shortcuts.map(([keys, meaning]) => [
          <dt key={keys}>
            {keys.split(' ').map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </dt>,
          <dd key={meaning}>{meaning}</dd>,
        ])}
      </dl>
    </Dialog>
  )
}
