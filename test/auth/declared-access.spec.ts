/** A route that says nothing about its callers stops the start; and were it there all the same, nobody would get in. */
import { Controller, Get } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import type { NestFastifyApplication } from '@nestjs/platform-fastify'

import { ApiModule } from '../../src/api.module.js'
import { Public } from '../../src/auth/access.js'
import { requireDeclaredAccess } from '../../src/auth/declared-access.js'
import { TokenCommands } from '../../src/auth/token-commands.js'
import { readSettings } from '../../src/config/env.js'
import { createAdapter, prepareFastify } from '../../src/http/fastify.js'
import { RouteTable } from '../../src/http/route-table.js'
import { createDatabase } from '../support/database.js'
import type { TestDatabase } from '../support/database.js'
import { call, encryptionKey, pepper, startService } from '../support/service.js'

@Controller('forgetful')
class Forgetful {
  @Get('open')
  @Public()
  open(): string {
    return 'open'
  }

  @Get('silent')
  silent(): string {
    return 'open'
  }
}

let db: TestDatabase
let app: NestFastifyApplication
beforeAll(async () => {
  db = await createDatabase()
  const settings = {
    ...readSettings({ RATE_LIMIT: 'off', BASE_PATH: '/' }),
    databaseUrl: db.url,
    tokenPepper: pepper,
    encryptionKey,
  }
  app = await NestFactory.create<NestFastifyApplication>(
    { ...ApiModule.with(settings), controllers: [Forgetful] },
    createAdapter(settings),
    { logger: false, abortOnError: false, bodyParser: false },
  )
  prepareFastify(app.getHttpAdapter().getInstance(), app.get(RouteTable))
  await app.listen(0, '127.0.0.1')
})
afterAll(async () => {
  await app.close()
  await db.drop()
})

it('the start fails and names the route, and no other', () => {
  expect(() => requireDeclaredAccess(app)).toThrow(/who may call them.*: Forgetful\.silent \(GET\)\.$/)
})

it('the guard lets nobody in, not even a token for everything', async () => {
  const { token } = await app.get(TokenCommands).create('default', 'a', undefined, undefined)
  const origin = await app.getUrl()
  expect((await call(origin, 'GET', '/forgetful/open', { token: null })).status).toBe(200)
  expect((await call(origin, 'GET', '/forgetful/silent', { token: null })).status).toBe(401)
  const answer = await call(origin, 'GET', '/forgetful/silent', { token })
  expect(answer.status).toBe(403)
  expect(answer.body).toMatchObject({ code: 'insufficient_scope', required: [] })
})

it('every route of the service declares its callers', async () => {
  const service = await startService({ db })
  expect(() => requireDeclaredAccess(service.app)).not.toThrow()
  await service.stop()
})
