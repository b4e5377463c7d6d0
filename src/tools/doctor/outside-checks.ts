/** Checks of things outside the service that settings name: its public address, and files of the operator. */
import { requireLocations } from '../../clicks/ingest/locations.js'
import { isLoopback } from '../../links/urls.js'
import { readAuthorities } from '../../webhooks/authorities.js'
import { ok, warn } from './check.js'
import type { Finding } from './check.js'

export function publicUrl(address: string): Finding {
  const url = new URL(address)
  return url.protocol === 'http:' && !isLoopback(url)
    ? warn(
        `PUBLIC_URL is ${address}: tokens would travel unencrypted. Put a proxy with TLS in front, and set PUBLIC_URL to its https address.`,
      )
    : ok(`${address}.`)
}

export async function countryFile(file: string): Promise<Finding> {
  await requireLocations(file)
  return ok(`${file} can be used.`)
}

export function authorityFile(file: string): Finding {
  readAuthorities(file)
  return ok(`${file} can be used.`)
}
