import { isIP } from 'node:net'

/**
 * The addresses that a host (as `URL` gives it) names without anyone being asked; null for a name to be looked up.
 * `localhost` and all below it are this machine by RFC 6761, whatever a name server says.
 */
export function writtenAddresses(hostname: string): string[] | null {
  const bare = hostname.replace(/\.$/, '')
  const literal = bare.startsWith('[') ? bare.slice(1, -1) : bare
  if (isIP(literal) !== 0) return [literal]
  return /(^|\.)localhost$/.test(bare) ? ['127.0.0.1', '::1'] : null
}
