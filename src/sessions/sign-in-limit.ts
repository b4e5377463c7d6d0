/** Limits sign-in attempts by IP address. */
import { Injectable } from '@nestjs/common'
import type { BeforeApplicationShutdown } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import type { FastifyReply, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import { DataSource } from 'typeorm'

import { toUuid } from '../platform/database/ids.js'
import { RateLimit } from '../platform/http/rate-limit.js'
import { SecretHashes } from './secrets.js'

/** High enough for users, and far too low to guess a secret. */
const signInRate = { limit: 20, windowSeconds: 60 }

@Injectable()
export class SignInLimit implements BeforeApplicationShutdown {
  private readonly rateLimit: RateLimit

  constructor(@InjectDataSource() dataSource: DataSource, hashes: SecretHashes) {
    this.rateLimit = new RateLimit(dataSource, null, [
      {
        name: 'sign-in',
        rate: signInRate,
        getRateKey: ({ ip }) => createKey(hashes.hashSecret('address', getNetwork(ip))),
        subject: 'This IP address',
      },
    ])
  }

  countAttempt(request: FastifyRequest, reply: FastifyReply): Promise<void> | undefined {
    return this.rateLimit.countRequest(request, reply)
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.rateLimit.beforeApplicationShutdown()
  }
}

/** Returns an IPv4 address, or the /64 network of an IPv6 address, because one user usually has all of it. */
function getNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString()
}

/** Returns a UUID of version 8, which differs from all IDs and other keys. */
function createKey(digest: Buffer): string {
  const hex = digest.toString('hex')
  return toUuid(`${hex.slice(0, 12)}8${hex.slice(13, 16)}8${hex.slice(17, 32)}`)
}
