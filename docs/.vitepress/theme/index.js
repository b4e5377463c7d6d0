/** The default theme with system fonts and the colors of the dashboard. */
import { useData } from 'vitepress'
import Theme from 'vitepress/theme-without-fonts'
import { h } from 'vue'

import './style.css'

/** Links to the API reference, which only the service has. */
function ApiReferenceLink() {
  const { site } = useData()
  if (site.value.base !== '/docs/guide/') return null
  return h('a', { class: 'api-reference', href: '/docs', target: '_self' }, 'API reference')
}

export default {
  extends: Theme,
  Layout: () => h(Theme.Layout, null, { 'nav-bar-content-after': () => h(ApiReferenceLink) }),
}
