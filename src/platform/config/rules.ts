/** Rules that parse the text of a setting. */
import { Resolver } from 'node:dns'
import { resolve } from 'node:path'

import proxyAddr from '@fastify/proxy-addr'
import ipaddr from 'ipaddr.js'

import { parseColor } from '../util/colors.js'
import { parseDuration } from './duration.js'
import type { Rule } from './setting.js'
import { parseUrl } from '../util/parse-url.js'

export const text: Rule<string> = (value) => value

/** The value is absolute. */
export const path: Rule<string> = (value) => resolve(value)

/** A short text without line breaks, such as a name that pages show. */
export function line(maxLength: number): Rule<string> {
  return (value) => {
    if (value.length > maxLength || /\p{Cc}/u.test(value))
      throw new Error(`must be one line of at most ${maxLength} characters`)
    return value
  }
}

/** The value is `#rrggbb`. */
export const color: Rule<string> = (value) => {
  const parsed = parseColor(value)
  if (parsed === null) throw new Error('must be a hex color such as #3550c9')
  return parsed
}

/** A path, or a `data:` or `https:` URL of an image. */
export const image: Rule<string> = (value) => {
  const [scheme] = /^[a-z][a-z0-9+.-]+:/i.exec(value) ?? []
  const isData = /^data:image\/(?:svg\+xml|png|jpeg|webp|gif)[;,]/.test(value)
  if (scheme !== undefined && !isData && !(scheme === 'https:' && URL.canParse(value)))
    throw new Error('must be the path of an image, a data: URL of an image, or an https: URL')
  return value
}

export function oneOf<const T extends string>(...choices: T[]): Rule<T> {
  return (value) => {
    const choice = choices.find((each) => each === value)
    if (choice === undefined) throw new Error(`must be one of ${choices.join(', ')}`)
    return choice
  }
}

export const port: Rule<number> = (value) => {
  const number = Number(value)
  if (!/^\d{1,5}$/.test(value) || number > 65_535) throw new Error('must be a port number from 0 to 65535')
  return number
}

export const flag: Rule<boolean> = (value) => {
  if (value !== 'true' && value !== 'false') throw new Error('must be true or false')
  return value === 'true'
}

/** An origin such as `https://go.example.com`, without a trailing slash. */
export const origin: Rule<string> = (value) => {
  const url = parseUrl(value)
  if (
    !url ||
    !/^https?:$/.test(url.protocol) ||
    url.pathname !== '/' ||
    url.search ||
    url.hash ||
    url.username
  )
    throw new Error('must be a URL such as https://go.example.com, without a path')
  return url.origin
}

export const origins: Rule<string[]> = (value) => value.split(',').map((part) => origin(part.trim()))

export const postgresUrl: Rule<string> = (value) => {
  const url = URL.parse(value)
  if (!url || !/^postgres(ql)?:$/.test(url.protocol))
    throw new Error('must be a URL such as postgres://user:password@host:5432/database')
  return value
}

/** A path such as `/api`. A single slash means no prefix. */
export const basePath: Rule<string> = (value) => {
  if (!/^(\/[A-Za-z0-9._-]+)*\/?$/.test(value)) throw new Error('must be a path such as /api')
  return value.replace(/\/$/, '')
}

export const secret: Rule<string> = (value) => {
  if (value.length < 32)
    throw new Error('must have at least 32 characters; generate one with: openssl rand -base64 32')
  return value
}

export const headerName: Rule<string> = (value) => {
  if (!/^[A-Za-z0-9-]{1,64}$/.test(value))
    throw new Error('must be the name of a header, such as cf-ipcountry')
  return value.toLowerCase()
}

/** The value is in seconds. */
export const days: Rule<number> = (value) => {
  const seconds = /[dw]$/.test(value) ? parseDuration(value) : null
  if (seconds === null) throw new Error('must be a number of days or weeks, such as 400d')
  return seconds
}

/** The value is in seconds. */
export function time(min: string, max: string): Rule<number> {
  const [minSeconds, maxSeconds] = [parseDuration(min) ?? 0, parseDuration(max) ?? Infinity]
  return (value) => {
    const seconds = parseDuration(value)
    if (seconds === null || seconds < minSeconds || seconds > maxSeconds)
      throw new Error(`must be a duration from ${min} to ${max}, such as ${min}`)
    return seconds
  }
}

/** The value is in seconds. `0` turns the time off. */
export function timeOrNone(max: string): Rule<number> {
  const maxSeconds = parseDuration(max) ?? Infinity
  return (value) => {
    const seconds = value === '0' ? 0 : parseDuration(value)
    if (seconds === null || seconds > maxSeconds)
      throw new Error(`must be 0 or a duration up to ${max}, such as 8s`)
    return seconds
  }
}

/** The value is in seconds. */
export const schedule: Rule<number[]> = (value) => {
  const steps = value.split(',').map((part) => parseDuration(part.trim()))
  if (steps.length > 30 || !steps.every((step) => step !== null))
    throw new Error('must be a list of at most 30 durations, such as 5s,5m,30m,2h')
  return steps
}

export function wholeNumber(min: number, max: number): Rule<number> {
  return (value) => {
    if (!/^\d{1,9}$/.test(value) || Number(value) < min || Number(value) > max)
      throw new Error(`must be a whole number from ${min} to ${max}`)
    return Number(value)
  }
}

export const redisUrl: Rule<string> = (value) => {
  const url = URL.parse(value)
  if (!url || !/^rediss?:$/.test(url.protocol) || !url.hostname)
    throw new Error('must be a URL such as redis://:password@host:6379')
  return value
}

export type Network = [address: ipaddr.IPv4 | ipaddr.IPv6, prefixLength: number]

export const networks: Rule<Network[]> = (value) =>
  value.split(',').map((part) => {
    const text = part.trim()
    try {
      return ipaddr.parseCIDR(text)
    } catch {
      throw new Error('must be a list of networks such as 127.0.0.0/8,::1/128')
    }
  })

export const nameServers: Rule<string[]> = (value) => {
  const servers = value.split(',').map((part) => part.trim())
  try {
    new Resolver().setServers(servers)
  } catch {
    throw new Error('must be a list of IP addresses such as 10.0.0.2,[2001:db8::2]:5353')
  }
  return servers
}

export const byteCount: Rule<number> = (value) => {
  const [, number, unit] = /^(\d{1,6})(MiB|GiB)$/.exec(value) ?? []
  if (number === undefined || Number(number) === 0) throw new Error('must be a size such as 512MiB or 1GiB')
  return Number(number) * (unit === 'GiB' ? 1024 ** 3 : 1024 ** 2)
}

/** YAML 1.1, which Helm uses, reads an unquoted `off` as `false`, and `on` as `true`. */
const isOff = (value: string) => value === 'off' || value === 'false'

export const onOrOff: Rule<'on' | 'off'> = (value) => {
  if (isOff(value)) return 'off'
  if (value !== 'on' && value !== 'true') throw new Error('must be one of on, off')
  return 'on'
}

/** A limit that can be turned off. Null means no limit. */
export function orOff<T>(rule: Rule<T>): Rule<T | null> {
  return (value) => {
    if (isOff(value)) return null
    try {
      return rule(value)
    } catch (error) {
      throw new Error(`${(error as Error).message}, or off`, { cause: error })
    }
  }
}

/** The largest number that fits the columns of the shared counts. */
export const maxRequests = 999_999_999

export interface Rate {
  limit: number
  windowSeconds: number
}

export const rate: Rule<Rate | null> = (value) => {
  if (isOff(value)) return null
  const [count = '', window = '1m'] = value.split('/')
  const windowSeconds = parseDuration(/^\d/.test(window) ? window : `1${window}`)
  if (!/^[1-9]\d{0,8}$/.test(count) || windowSeconds === null || value.split('/').length > 2)
    throw new Error('must be a number of requests and a duration, such as 600/1m, or off')
  return { limit: Number(count), windowSeconds }
}

/** Returns whether the `X-Forwarded-For` of this proxy is trusted. Hop 0 is the socket's peer. */
export type ProxyTrust = (address: string, hop: number) => boolean

export const proxies: Rule<ProxyTrust | null> = (value) => {
  if (isOff(value)) return null
  if (/^[1-9]\d?$/.test(value)) return (_address, hop) => hop < Number(value)
  try {
    return proxyAddr.compile(value.split(',').map((part) => part.trim()))
  } catch {
    throw new Error(
      'must be off, a number of proxies, or a list of IP addresses and networks, such as 10.0.0.0/8,loopback',
    )
  }
}
