import { readSettings } from './env.js'

describe('the limit of a workspace', () => {
  it.each([
    [{}, { limit: 6000, windowSeconds: 60 }],
    [{ RATE_LIMIT: '100/10s' }, { limit: 1000, windowSeconds: 10 }],
    [{ RATE_LIMIT: '999999999/1m' }, { limit: 999_999_999, windowSeconds: 60 }],
    [{ RATE_LIMIT: 'off' }, null],
    [{ WORKSPACE_RATE_LIMIT: 'off' }, null],
    [{ WORKSPACE_RATE_LIMIT: '5/1h' }, { limit: 5, windowSeconds: 3600 }],
    [
      { RATE_LIMIT: 'off', WORKSPACE_RATE_LIMIT: '5/1h' },
      { limit: 5, windowSeconds: 3600 },
    ],
    [
      { RATE_LIMIT: '5/1h', WORKSPACE_RATE_LIMIT: ' ' },
      { limit: 50, windowSeconds: 3600 },
    ],
  ])("of %j is %j: ten times the token's unless it is given", (env, expected) => {
    expect(readSettings(env).workspaceRateLimit).toEqual(expected)
  })
})
