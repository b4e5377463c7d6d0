/**
 * Who calls, and the bearer token that says so: the form of its value, the header that carries it, and the refusals.
 * A value is `lsk_live_`, 43 characters of 256 random bits and 6 of CRC-32. The checksum lets a typing error be refused
 * without a look-up, and lets scanners of leaked secrets be sure of what they found.
 */
import { createHmac, randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { crc32 } from 'node:zlib'

import { type ExecutionContext, createParamDecorator } from '@nestjs/common'
import type { FastifyRequest } from 'fastify'

import { encodeId } from '../platform/database/ids.js'
import { Problem } from '../platform/http/problems/problem.js'
import type { ProblemCode } from '../problems.js'
import { currentMs } from '../platform/util/clock.js'
import { type KeyedRequest, isGivenTwice } from '../platform/http/request.js'
import type { Scope } from './scopes.js'
import type { Token } from './token.entity.js'

/** Who acts, and in which request. Most methods of services take it first. */
export interface Caller {
  tokenId: string
  workspaceId: string
  scopes: readonly Scope[]
  /** The end of the token as memory has it. A rotation may have made it sooner since. */
  expiresAt: Date | null
  address: string
  requestId: string
  keyed: KeyedRequest | null
  /** Whether the token has a scope that the route needs only sometimes. If it has, the scope counts as used. */
  useScope: (scope: Scope) => boolean
  /** What was called, for the audit log. It is a function because few calls need it and it costs more than the rest. */
  operation: () => { method: string; path: string | null }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The bearer's token, once the guard has accepted it. */
    token: Token | null
  }
}

export function callerOf(request: FastifyRequest): Caller {
  const token = tokenOf(request)
  return {
    tokenId: token.id,
    workspaceId: token.workspaceId,
    scopes: token.scopes,
    expiresAt: token.expiresAt,
    address: request.ip,
    requestId: request.id,
    keyed: request.keyed,
    useScope: (scope) => useScope(token, scope),
    operation: () => ({ method: request.method, path: request.routeOptions.url ?? null }),
  }
}

/** Marks the scope as used on the record in memory, which is written with the time of use. */
export function useScope(token: Token, scope: Scope): boolean {
  if (!token.scopes.includes(scope)) return false
  if (!token.usedScopes.includes(scope)) token.usedScopes = [...token.usedScopes, scope]
  return true
}

export function tokenOf(request: FastifyRequest): Token {
  if (!request.token) throw new Error('a public route has no caller')
  return request.token
}

/** The fields of the access log that tell who called. */
export function callerFields({ token }: FastifyRequest): { token_id: string | null } {
  // In the worker role nobody sets a token.
  const known = token as Token | undefined
  return { token_id: known ? encodeId('tok', known.id) : null }
}

export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext) =>
  callerOf(context.switchToHttp().getRequest<FastifyRequest>()),
)

export const CurrentToken = createParamDecorator((_: unknown, context: ExecutionContext) =>
  tokenOf(context.switchToHttp().getRequest<FastifyRequest>()),
)

export type KeyEnvironment = 'live' | 'test'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomDigits = 43
const checksumDigits = 6
const shape = new RegExp(`^lsk_(?:live|test)_[0-9A-Za-z]{${randomDigits + checksumDigits}}$`)

export function makeTokenValue(environment: KeyEnvironment): string {
  const body = `lsk_${environment}_${base62(BigInt(`0x${randomBytes(32).toString('hex')}`), randomDigits)}`
  return body + checksumOf(body)
}

/** Checks the form and the checksum, not whether the value was ever given out. */
export function isTokenValue(text: string): boolean {
  return shape.test(text) && checksumOf(text.slice(0, -checksumDigits)) === text.slice(-checksumDigits)
}

export function hashTokenValue(pepper: string, value: string): Buffer {
  return createHmac('sha256', pepper).update(value).digest()
}

/** The parts of a value that may still be shown after its creation. */
export function shownPartsOf(value: string): { prefix: string; last4: string } {
  return { prefix: value.slice(0, value.lastIndexOf('_') + 1), last4: value.slice(-4) }
}

function checksumOf(body: string): string {
  return base62(BigInt(crc32(body)), checksumDigits)
}

function base62(value: bigint, digits: number): string {
  let text = ''
  for (let rest = value; text.length < digits; rest /= 62n) text = alphabet.charAt(Number(rest % 62n)) + text
  return text
}

export const challenge = 'Bearer realm="link-service"'

/** Refuses a token that is unknown, revoked or expired. */
export function refusal(code: ProblemCode): Problem {
  return new Problem(code, { headers: { 'www-authenticate': `${challenge}, error="invalid_token"` } })
}

export type TokenStatus = 'active' | 'expired' | 'revoked'

export function statusOf({ revokedAt, expiresAt }: Token): TokenStatus {
  if (revokedAt) return 'revoked'
  return expiresAt && expiresAt.getTime() <= currentMs() ? 'expired' : 'active'
}

/** The reason why nobody may call with this token. Null if the token is good. */
export function refusalOf(token: Token): Problem | null {
  const status = statusOf(token)
  return status === 'active' ? null : refusal(`token_${status}`)
}

const name = 'authorization'
const longestHeader = 200
const space = 32
const tab = 9

export function authorizationOf(request: IncomingMessage): string | undefined {
  if (isGivenTwice(request, name)) throw givenTwice()
  return request.headers.authorization
}

export function bearerIn(authorization = ''): string {
  const schemeEnd = authorization.indexOf(' ')
  if (schemeEnd < 0 || authorization.slice(0, schemeEnd).toLowerCase() !== 'bearer')
    throw new Problem('unauthorized', { headers: { 'www-authenticate': challenge } })
  if (authorization.length > longestHeader) throw refusal('invalid_token')
  let start = schemeEnd + 1
  let end = authorization.length
  while (start < end && isBlank(authorization.charCodeAt(start))) start += 1
  while (start < end && isBlank(authorization.charCodeAt(end - 1))) end -= 1
  return authorization.slice(start, end)
}

/** HTTP knows only these two blanks. Any other white space is part of the token, and makes it wrong. */
function isBlank(char: number): boolean {
  return char === space || char === tab
}

function givenTwice(): Problem {
  const detail = 'Send one Authorization header.'
  return new Problem('invalid_header', {
    errors: [{ header: 'Authorization', code: 'given_twice', detail }],
    headers: { 'www-authenticate': `${challenge}, error="invalid_request"` },
  })
}
