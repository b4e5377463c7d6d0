/** The texts that describe scopes are the same in the code, the OpenAPI document and the client. */
import { readFile } from 'node:fs/promises'

import { scopeDescriptions as ofClient } from '@link-service/client'

import { scopeDescriptions, scopes, workspaceScopes } from '../../../src/auth/scopes.js'

it('every scope has the same description in the document and in the client', async () => {
  const document = JSON.parse(await readFile('openapi.json', 'utf8'))
  const { Scope, WorkspaceScope } = document.components.schemas
  expect(Scope['x-enum-descriptions']).toEqual(scopes.map((scope) => scopeDescriptions[scope]))
  expect(WorkspaceScope['x-enum-descriptions']).toEqual(
    workspaceScopes.map((scope) => scopeDescriptions[scope]),
  )
  for (const scope of scopes)
    expect(Scope.description).toContain(`* \`${scope}\`: ${scopeDescriptions[scope]}`)
  expect(ofClient).toEqual(scopeDescriptions)
})
