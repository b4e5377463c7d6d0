/** The name, the logo and the accent color of the installation, which the service writes into the page. */

export const instanceName = getMetaContent('instance-name') || 'Link Service'

export const logoUrl = document.querySelector<HTMLLinkElement>('link[rel=icon]')?.href ?? ''

/** Replaces the accent color of the style sheet. The content security policy blocks `style` attributes, not this. */
export function applyAccent(): void {
  const [light, dark] = getMetaContent('accent').split(' ')
  if (!light || !dark) return
  const { style } = document.documentElement
  style.setProperty('--accent', `light-dark(${light}, ${dark})`)
  style.setProperty('--accent-soft', `light-dark(${light}14, ${dark}22)`)
}

function getMetaContent(name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? ''
}
