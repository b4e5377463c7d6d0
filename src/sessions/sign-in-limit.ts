/** How often one address may try to sign in. */
import { Injectable } from '@nestjs/common'
import type { BeforeApplicationShutdown } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import type { FastifyReply, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import { DataSource } from 'typeorm'

import { uuidOf } from '../platform/database/ids.js'
import { RateLimit } from '../platform/http/rate-limit.js'
import { signIns } from './limits.js'
import { SecretHashes } from './secrets.js'

@Injectable()
export class SignInLimit implements BeforeApplicationShutdown {
  private readonly rateLimit: RateLimit

  constructor(@InjectDataSource() dataSource: DataSource, hashes: SecretHashes) {
    this.rateLimit = new RateLimit(dataSource, null, [
      {
        name: 'sign-in',
        rate: signIns,
        keyOf: ({ ip }) => keyOf(hashes.of('address', networkOf(ip))),
        subject: 'This address',
      },
    ])
  }

  take(request: FastifyRequest, reply: FastifyReply): Promise<void> | undefined {
    return this.rateLimit.take(request, reply)
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.rateLimit.beforeApplicationShutdown()
  }
}

/** An IPv6 address counts as its /64 network, because its owner usually has all of that. */
function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString()
}

/** Makes a UUID of version 8, which no id and no other key has. */
function keyOf(digest: Buffer): string {
  const hex = digest.toString('hex')
  return uuidOf(`${hex.slice(0, 12)}8${hex.slice(13, 16)}8${hex.slice(17, 32)}`)
}
