/** Clients of earlier releases work with this service: all code of their README runs. */
import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { ClientProject } from '../../support/client-project.js'
import { generatorsFolder, howToInstall, isInstalled } from '../../support/generators.js'
import { itIf } from '../../support/program.js'
import { startSending } from '../../support/sending.js'
import type { Sending } from '../../support/sending.js'

for (const version of readdirSync('releases'))
  describe(`the client of ${version}`, () => {
    let project: ClientProject
    let sending: Sending
    beforeAll(async () => {
      project = await ClientProject.install(`releases/${version}/client.tgz`)
      sending = await startSending()
    }, 300_000)
    afterAll(async () => {
      await project.remove()
      await sending.stop()
    })

    it('makes the calls of its README', async () => {
      const calls = (await project.snippets('js')).filter((code) => !code.includes('createServer'))
      expect(await project.run(calls.join('\n'), sending.service)).toMatch(/^link\.created evt_/m)
    }, 300_000)

    it('verifies a delivery', async () => {
      const [program] = await project.snippets('ts')
      expect(await project.runTyped(program!, sending.service)).toBe('verified https://example.com/first\n')
    }, 300_000)

    itIf(isInstalled('oasdiff'), `oasdiff with ${version}`, howToInstall)(
      'finds no breaking change with oasdiff',
      async () => {
        const oasdiff = join(generatorsFolder, 'oasdiff/oasdiff')
        const documents = [`releases/${version}/openapi.json`, 'openapi.json']
        await promisify(execFile)(oasdiff, ['breaking', ...documents, '--fail-on', 'ERR'])
      },
      60_000,
    )
  })
