/** `link-service import` and `export`, as the command line declares them. */
import { command } from '../../platform/command-line/command.js'
import { environment } from '../../platform/config/env.js'
import { connectionOptions } from '../remote/connection.js'

const { url, token, json } = connectionOptions

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
      url,
      token,
      json,
    },
    example: 'import links.csv --dry-run',
    run: async (options, file) => {
      const { importLinks } = await import('./import.js')
      if (!(await importLinks(file, withUrl(options), environment()['LINK_SERVICE_TOKEN'])))
        process.exitCode = 1
    },
  }),
  export: command({
    summary: 'Write all links to standard output',
    options: { format: { value: 'FORMAT', text: 'csv (the default) or ndjson' }, url, token },
    example: 'export > links.csv',
    run: async (options) => {
      const { exportLinks } = await import('./export.js')
      await exportLinks(withUrl(options), environment()['LINK_SERVICE_TOKEN'])
    },
  }),
}

function withUrl<Options extends { url?: string | undefined }>(options: Options): Options {
  return { ...options, url: options.url ?? (environment()['LINK_SERVICE_URL']?.trim() || undefined) }
}
