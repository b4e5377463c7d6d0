/** Checks of things outside the service that settings name: its public address, and files of the operator. */
import ipaddr from 'ipaddr.js'

import { openLocations } from '../../clicks/ingest/locations.js'
import { readAuthorities } from '../../webhooks/authorities.js'
import { ok, warn } from './check.js'
import type { Finding } from './check.js'

export function publicUrl(address: string): Finding {
  const { protocol, hostname } = new URL(address)
  return protocol === 'http:' && !isLoopback(hostname)
    ? warn(
        `PUBLIC_URL is ${address}: tokens would travel unencrypted. Put a proxy with TLS in front, and set PUBLIC_URL to its https address.`,
      )
    : ok(`${address}.`)
}

function isLoopback(hostname: string): boolean {
  const address = hostname.replace(/^\[(.*)\]$/, '$1')
  if (!ipaddr.isValid(address)) return /(^|\.)localhost$/.test(hostname)
  return ipaddr.process(address).range() === 'loopback'
}

export async function countryFile(file: string): Promise<Finding> {
  await openLocations(file)
  return ok(`${file} can be used.`)
}

export function authorityFile(file: string): Finding {
  readAuthorities(file)
  return ok(`${file} can be used.`)
}
