import { command } from '../../platform/command-line/command.js'
import { apiAddress } from '../../platform/config/env.js'
import { connectionOptions, givenToken } from '../remote/connection.js'

export const listenCommand = command({
  summary: "Send a workspace's events to a receiver on your machine, signed as webhooks sign them",
  options: {
    'forward-to': { value: 'URL', text: 'where to send them: any http or https address' },
    events: { value: 'a,b', text: 'which events; all of them by default, also clicks that no webhook wants' },
    from: { value: 'PLACE', text: 'now (the default), start, or what an earlier run has printed' },
    api: connectionOptions.url,
    'token-file': connectionOptions['token-file'],
    token: connectionOptions.token,
    secret: { value: 'SECRET', text: 'what to sign with; else one is made for the run' },
    json: { text: 'print one JSON document per line, each with the place after that event' },
  },
  example: 'listen --forward-to http://localhost:4000/hooks --events link.created,click',
  run: async (options) => {
    const { listen } = await import('./listen.js')
    await listen({ ...options, api: options.api ?? apiAddress() }, givenToken(options))
  },
})
