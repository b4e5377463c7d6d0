/** A route without a declared access prevents the start, and would also reject every caller. */
import { Controller, Get } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import type { NestFastifyApplication } from '@nestjs/platform-fastify'

import { ApiModule } from '../../../src/app/api.module.js'
import { Public, RequireScope } from '../../../src/auth/access.js'
import { TokenCommands } from '../../../src/auth/token-commands.js'
import { readSettings } from '../../../src/platform/config/env.js'
import { createAdapter, prepareFastify } from '../../../src/platform/http/fastify.js'
import { RouteTable } from '../../../src/platform/http/route-table.js'
import { createDatabase } from '../../support/database.js'
import type { TestDatabase } from '../../support/database.js'
import { call, encryptionKey, pepper } from '../../support/service.js'

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

  @Get('scoped')
  @RequireScope('links:read')
  scoped(): string {
    return 'open'
  }
}

let db: TestDatabase
beforeAll(async () => {
  db = await createDatabase()
})
afterAll(() => db.drop())

function create(): Promise<NestFastifyApplication> {
  const settings = {
    ...readSettings({ RATE_LIMIT: 'off', BASE_PATH: '/' }),
    databaseUrl: db.url,
    tokenPepper: pepper,
    encryptionKey,
  }
  return NestFactory.create<NestFastifyApplication>(
    { ...ApiModule.with(settings), controllers: [Forgetful] },
    createAdapter(settings),
    { logger: false, abortOnError: false, bodyParser: false },
  )
}

it('fails to start with an error that names a route without a declared access', async () => {
  const app = await create()
  prepareFastify(app.getHttpAdapter().getInstance(), app.get(RouteTable))
  await expect(app.init()).rejects.toThrow(/The route GET \/forgetful\/silent declares no access/)
  await app.close()
})

it('rejects every caller of a route that the hook has not checked', async () => {
  // Without prepareFastify(), no hook checks callers or the declarations of routes.
  const app = await create()
  app.getHttpAdapter().getInstance().decorateRequest('token', null)
  await app.listen(0, '127.0.0.1')
  const { token } = await app.get(TokenCommands).create({ workspace: 'default', name: 'a' })
  const origin = await app.getUrl()
  expect((await call(origin, 'GET', '/forgetful/open', { token: null })).status).toBe(200)
  for (const path of ['/forgetful/silent', '/forgetful/scoped'])
    for (const bearer of [null, token]) {
      const response = await call(origin, 'GET', path, { token: bearer })
      expect(response.status).toBe(403)
      expect(response.body).toMatchObject({ code: 'insufficient_scope', required: [], granted: [] })
    }
  await app.close()
})
