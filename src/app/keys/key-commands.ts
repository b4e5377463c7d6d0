/** `link-service keys status`, `rotate` and `finish`. */
import { basename } from 'node:path'

import type { DataSource } from 'typeorm'

import { print, printJson } from '../../platform/command-line/output.js'
import { StartupError, UsageError } from '../../platform/config/startup-error.js'
import {
  previousFile,
  readSecret,
  removePreviousSecret,
  stageSecret,
} from '../../platform/config/secret-files.js'
import { connectDataSource, dataSourceOptions } from '../../platform/database/data-source.js'
import { backgroundTimeoutMs } from '../../platform/database/pg-client.js'
import { openExistingDatabase } from '../../platform/database/open-database.js'
import { directUrl } from '../../platform/database/pooler.js'
import { getSecretFingerprint } from '../../platform/database/sealing.js'
import { describeDependents, judgeSecret, retireKey } from '../../platform/database/secret-fingerprints.js'
import type { Secret } from '../../platform/database/secret-fingerprints.js'
import { commandText } from '../../platform/util/program.js'
import type { RunningSettings, Settings } from '../../settings.js'
import { history } from '../../migrations/history.js'
import { hasDependents, readKeyStatuses } from '../../platform/database/key-status.js'
import type { KeyStatus } from '../../platform/database/key-status.js'

interface OpenKeys {
  source: DataSource
  settings: RunningSettings
}

export async function showKeyStatus(settings: Settings, { json }: { json?: boolean | undefined }) {
  await withKeys(settings, async (keys) => {
    const statuses = await readKeyStatuses(keys.source, keys.settings, { withStoredResponses: true })
    if (json) printJson({ secrets: statuses.map(toDocument) })
    else print(...statuses.flatMap(describeStatus))
  })
}

/** Prepares the rotation of a secret in the data folder, or prints the steps for a secret that is set. */
export async function rotateKeys(settings: Settings, name: string | undefined): Promise<void> {
  await withKeys(settings, async ({ source, settings: running }) => {
    const statuses = await readKeyStatuses(source, running, { withStoredResponses: false })
    const chosen = statuses.filter(({ secret }) => name === undefined || secret.setting === name)
    if (chosen.length === 0)
      throw new UsageError(`Choose one of: ${statuses.map(({ secret }) => secret.setting).join(', ')}.`)
    for (const { secret, state } of chosen)
      if (state === 'rotating' && secret.file !== null)
        throw new StartupError(
          `The previous rotation of ${secret.setting} is not finished. See: ${commandText('keys status')}`,
        )
    for (const { secret } of chosen)
      if (secret.file !== null && !(await canRemovePrevious(source, running, secret)))
        throw new StartupError(
          `The file ${secret.file}-previous contains a secret whose rotation is not finished, and another rotation would overwrite it. If nothing needs this secret, move the file to another folder.`,
        )
    const isPrepared = chosen.filter(({ secret }) => secret.file !== null)
    for (const { secret } of isPrepared) {
      await stageSecret(running.dataDir, basename(secret.file!))
      print(`Prepared a new ${secret.setting}. The next start of the service uses it.`)
    }
    if (isPrepared.length > 0)
      print(`Restart the service. Then check what still needs the old one: ${commandText('keys status')}`)
    for (const { secret, state } of chosen) if (secret.file === null) print(...listSteps(secret, state))
  })
}

/** Finishes the rotations whose old secret is not needed. With `yes`, unconverted tokens stop working. */
export async function finishRotation(settings: Settings, { yes }: { yes?: boolean | undefined }) {
  await withKeys(settings, async ({ source, settings: running }) => {
    const statuses = await readKeyStatuses(source, running, { withStoredResponses: true })
    const rotating = statuses.filter(({ state }) => state === 'rotating')
    if (rotating.length === 0) print(...describeBegun(statuses))
    const obstacles = new Map(rotating.map((status) => [status, findObstacle(status, yes === true)]))
    for (const status of statuses) {
      const { secret, oldFingerprint } = status
      if (obstacles.get(status)) continue
      if (obstacles.has(status)) {
        await source.transaction((tx) => retireKey(tx, secret.setting, oldFingerprint!))
        print(`Finished the rotation of ${secret.setting}.`)
        print(
          secret.file === null
            ? `Remove ${secret.previousSetting} from all processes.`
            : `Restart the service, which accepts the old ${secret.setting} until then.`,
        )
      }
      // Also removes a file that was left when this command was killed.
      if (secret.file !== null && (await canRemovePrevious(source, running, secret)))
        await removePreviousSecret(running.dataDir, basename(secret.file))
    }
    const remaining = [...obstacles.values()].filter((obstacle) => obstacle !== null)
    if (remaining.length > 0) throw new StartupError(remaining.join(' '))
  })
}

/** Whether the file of the previous secret is missing, or its secret is retired, or current after a crash. */
async function canRemovePrevious(
  source: DataSource,
  { dataDir }: RunningSettings,
  secret: Secret,
): Promise<boolean> {
  const previous = await readSecret(previousFile(dataDir, basename(secret.file!)))
  if (previous === null) return true
  const { stored } = await judgeSecret(source, secret)
  const fingerprint = getSecretFingerprint(previous)
  return fingerprint === secret.current || stored.retired.includes(fingerprint)
}

/** Returns why a rotation cannot be finished, or null. */
function findObstacle(status: KeyStatus, isConfirmed: boolean): string | null {
  const { secret, dependents } = status
  const needed = `The old ${secret.setting} is still needed: ${describeDependents(dependents)}.`
  if (hasDependents(status, 'lost')) return `${needed} A running worker re-encrypts these within a minute.`
  if (hasDependents(status, 'refused', 'temporary') && !isConfirmed)
    return `${needed} To invalidate these, add --yes.`
  return null
}

function listSteps({ setting, previousSetting }: KeyStatus['secret'], state: KeyStatus['state']): string[] {
  const mark = (step: KeyStatus['state']) => (step === state ? '  <- next' : '')
  return [
    `To rotate ${setting}, which is set outside the data folder:`,
    `  1. Generate a secret: openssl rand -base64 32. Set ${previousSetting} to it in every process, and restart the processes one at a time.${mark('none')}`,
    `  2. When every process has restarted, swap the values: ${setting} is the new secret, ${previousSetting} the old one. Restart the processes one at a time.${mark('added')}`,
    `  3. When \`${commandText('keys status')}\` shows that nothing needs the old secret, run \`${commandText('keys finish')}\`, and remove ${previousSetting}.${mark('rotating')}`,
  ]
}

/** Returns what is left to do before a rotation is in progress. */
function describeBegun(statuses: readonly KeyStatus[]): string[] {
  const begun = statuses.filter(({ state }) => state !== 'none')
  return begun.length > 0 ? begun.flatMap(describeStatus) : ['No rotation is in progress.']
}

function describeStatus({ secret, state, dependents }: KeyStatus): string[] {
  const { setting, previousSetting } = secret
  const texts = {
    none: 'no rotation in progress',
    prepared: 'a new secret is prepared; restart the service to use it',
    added: `${previousSetting} is accepted, but not used for new data`,
    rotating: describeDependents(dependents)
      ? 'rotating; the old secret is still needed for:'
      : `rotating; nothing needs the old secret, so run \`${commandText('keys finish')}\``,
  }
  const counts = dependents.map((each) => `  ${describeDependents([each]) ?? `${each.kind}: 0`}`)
  return [`${setting}: ${texts[state]}`, ...counts]
}

function toDocument(status: KeyStatus) {
  const { secret, state, dependents } = status
  return {
    setting: secret.setting,
    state,
    can_finish: state === 'rotating' && !hasDependents(status, 'lost', 'refused', 'temporary'),
    dependents: dependents.map(({ kind, count, effect, newestUse }) => ({
      kind,
      count,
      effect,
      ...(newestUse === undefined ? {} : { newest_use: newestUse?.toISOString() ?? null }),
    })),
  }
}

async function withKeys(settings: Settings, work: (keys: OpenKeys) => Promise<void>): Promise<void> {
  const database = await openExistingDatabase(settings, history)
  try {
    const url = directUrl(database.settings)
    const source = await connectDataSource(dataSourceOptions(url, 1, backgroundTimeoutMs))
    await work({ source, settings: database.settings }).finally(() => source.destroy())
  } finally {
    await database.release()
  }
}
