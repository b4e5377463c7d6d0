import { readFileSync } from 'node:fs'

/** The version of the service, from package.json. */
export const { version } = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
) as {
  version: string
}
