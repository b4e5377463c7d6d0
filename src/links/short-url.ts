import type { RunningSettings } from '../platform/config/settings.js'

/** Where short links live. With `PORT=0` the address of the service is known only once it listens. */
export function shortUrlBaseOf({ shortUrlBase, publicUrl }: RunningSettings): string {
  return shortUrlBase ?? publicUrl
}

export function shortUrl(base: string, slug: string): string {
  return `${base}/${slug}`
}
