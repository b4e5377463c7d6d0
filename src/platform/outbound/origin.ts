import { Failure } from './outcome.js'

/** Where a request goes, read from its url. */
export interface Origin {
  /** `https://hooks.example:8443` */
  text: string
  secure: boolean
  /** As `URL` gives it: lower-case, IPv6 in brackets. */
  hostname: string
  port: number
}

/** Rules may have become stricter since the url was registered, so plain http is refused here too. */
export function originOf(url: URL, allowHttp: boolean): Origin {
  const secure = url.protocol === 'https:'
  if (!secure && !(allowHttp && url.protocol === 'http:'))
    throw new Failure('other', 'The address does not begin with https://, so nothing was sent.')
  const port = url.port ? Number(url.port) : secure ? 443 : 80
  return { text: url.origin, secure, hostname: url.hostname, port }
}
