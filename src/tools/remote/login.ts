/** `link-service login` and `logout`: save the URL and the token of a service for later commands. */
import type { Command } from '@commander-js/extra-typings'

import { exampleText, print } from '../../platform/command-line/output.js'
import { environment, localApiUrl } from '../../platform/config/env.js'
import { StartupError, UsageError } from '../../platform/config/startup-error.js'
import { plainLine } from '../../platform/util/plain-text.js'
import { requireApiUrl, requireToken } from './api-access.js'
import { profileOption, urlOption, withClient } from './connection.js'
import { defaultProfile, removeProfile, saveProfile } from './profile.js'
import { readSecret } from './prompt.js'

export function addLoginCommands(program: Command): void {
  program
    .command('login')
    .description('Save a token in a profile for later commands; reads it from the terminal or standard input')
    .addOption(urlOption)
    .addOption(profileOption)
    .addHelpText('after', exampleText('login --url https://links.example/api'))
    .action(login)
  program
    .command('logout')
    .description('Remove a saved profile; its token stays valid until you revoke it')
    .addOption(profileOption)
    .addHelpText('after', exampleText('logout'))
    .action(({ profile = defaultProfile }) => {
      if (!removeProfile(profile)) throw new StartupError(`There is no profile "${profile}".`)
      print(`Removed the profile "${profile}". Its token is still valid until you revoke it.`)
    })
}

interface LoginOptions {
  url?: string | undefined
  profile?: string | undefined
}

async function login({ url: option, profile = defaultProfile }: LoginOptions): Promise<void> {
  const inEnvironment = environment()['LINK_SERVICE_URL']?.trim() || undefined
  const url = requireApiUrl(
    option ?? inEnvironment ?? localApiUrl(),
    option ? '--url' : 'LINK_SERVICE_URL',
  ).href
  const entered = await readSecret(`API token for ${url} (input is hidden): `)
  if (!entered) throw new UsageError('No token was entered. Paste a token, or pass one on standard input.')
  const token = requireToken(entered)
  const { id, name } = await withClient({ url, token }, ({ tokens }) => tokens.self())
  const file = saveProfile(profile, { url, token })
  print(
    `Signed in to ${url} with the token "${plainLine(name, 100)}" (${plainLine(id, 100)}).`,
    `Saved in ${file}`,
  )
}
