import { render } from 'preact'

import { App } from './app/app.js'
import { startClock } from './app/format.js'
import { applyAccent } from './app/branding.js'
import { startDeletions } from './app/pending-deletions.js'
import { retryWhenOnline } from './app/resource.js'
import { startRouter } from './app/router.js'
import { startSession } from './app/session.js'
import './styles/base.css'
import './styles/layout.css'
import './styles/components.css'
import './styles/figures.css'
import './styles/webhooks.css'
import './styles/forms.css'
import './styles/palette.css'
import './styles/lists.css'
import './styles/details.css'

startClock()
applyAccent()
startRouter()
startDeletions()
retryWhenOnline()
render(<App />, document.body)
void startSession()

// A sign-in link that is opened in this tab may change only the fragment, which does not reload the page.
addEventListener('hashchange', () => {
  if (location.hash.startsWith('#code=')) location.reload()
})
