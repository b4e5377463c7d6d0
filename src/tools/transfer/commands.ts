/** `link-service import` and `export`, as the command line declares them. */
import { command } from '../../platform/command-line/command.js'
import { apiAddress } from '../../platform/config/env.js'
import { connectionOptions, givenToken } from '../remote/connection.js'

const { json, ...access } = connectionOptions

export const transferCommands = {
  import: command({
    summary: 'Make links from a file, also from the exports of Bitly, Dub, Kutt, Shlink and YOURLS',
    operands: ['[FILE]'],
    options: {
      format: {
        value: 'FORMAT',
        text: 'bitly, dub, kutt, shlink, yourls, csv or ndjson; else the file shows it',
      },
      'on-conflict': {
        value: 'WHAT',
        text: 'fail (the default), skip or update, where a link is there already',
      },
      'dry-run': { text: 'only say what would happen' },
      'no-events': { text: 'tell no webhook of it' },
      resume: { value: 'ID', text: 'watch an import that was sent before, in place of a file' },
      ...access,
      json,
    },
    example: 'import links.csv --dry-run',
    run: async (options, file) => {
      const { importLinks } = await import('./import.js')
      if (!(await importLinks(file, withUrl(options), givenToken(options)))) process.exitCode = 1
    },
  }),
  export: command({
    summary: 'Write all links to standard output',
    options: { format: { value: 'FORMAT', text: 'csv (the default) or ndjson' }, ...access },
    example: 'export > links.csv',
    run: async (options) => {
      const { exportLinks } = await import('./export.js')
      await exportLinks(withUrl(options), givenToken(options))
    },
  }),
}

function withUrl<Options extends { url?: string | undefined }>(options: Options): Options & { url: string } {
  return { ...options, url: options.url ?? apiAddress() }
}
