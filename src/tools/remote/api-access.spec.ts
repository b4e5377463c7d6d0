import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { findAccess } from './api-access.js'
import { saveProfile } from './profile.js'

const url = 'http://localhost:3000/api'
const initial = process.env
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'api-access-'))
  process.env = { ...initial, XDG_CONFIG_HOME: folder, LINK_SERVICE_URL: '', LINK_SERVICE_TOKEN: '' }
  saveProfile('default', { url: 'http://127.0.0.1:3000/api', token: 'lsk_x' })
})
afterEach(() => {
  process.env = initial
  rmSync(folder, { recursive: true })
})

const rejected = 'The saved profile is for http://127.0.0.1:3000, not for http://localhost:3000. '

// Another program may listen on this port of the other address of `localhost`.
it('does not send a token that was saved for 127.0.0.1 to localhost, and says what to do', () => {
  expect(() => findAccess({ url })).toThrow(
    `${rejected}Omit --url to use the profile. For another service, set LINK_SERVICE_TOKEN or use --token-file.`,
  )
  process.env['LINK_SERVICE_URL'] = url
  expect(() => findAccess({})).toThrow(`${rejected}Unset LINK_SERVICE_URL to use the profile. `)
})
