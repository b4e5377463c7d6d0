import { pino } from 'pino'

import { NestLogger } from './logger.js'

it('logs the messages of the service at `info`, but not those of Nest during startup', () => {
  const lines: string[] = []
  const logger = new NestLogger(pino({ level: 'info' }, { write: (line) => lines.push(line) }))
  logger.log('Mapped {/v1/links, GET} route', 'RouterExplorer')
  logger.log('Clicks are written to the database again.', 'ClickRecorder')
  expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
    'Clicks are written to the database again.',
  ])
})
