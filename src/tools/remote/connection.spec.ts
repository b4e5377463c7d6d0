import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { givenToken } from './connection.js'

describe('the token', () => {
  const before = process.env['LINK_SERVICE_TOKEN']
  beforeEach(() => {
    process.env['LINK_SERVICE_TOKEN'] = ' lsk_y '
  })
  afterAll(() => {
    if (before === undefined) delete process.env['LINK_SERVICE_TOKEN']
    else process.env['LINK_SERVICE_TOKEN'] = before
  })

  it('is that of the environment where the words of the command name none', () => {
    expect(givenToken({ token: 'lsk_x' })).toBe('lsk_x')
    expect(givenToken({})).toBe('lsk_y')
  })

  it('is read from a file, without what stands around it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'connection '))
    await writeFile(join(folder, 'token'), ' lsk_z\n')
    expect(givenToken({ 'token-file': join(folder, 'token') })).toBe('lsk_z')
    await rm(folder, { recursive: true })
  })
})
