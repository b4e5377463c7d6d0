/** `link-service notices`: manages the notice targets of a workspace. */
import { Argument } from '@commander-js/extra-typings'
import type { Command } from '@commander-js/extra-typings'
import type { BodyOf, ItemOf, ResultOf } from '@link-service/client'

import { outputScreen, print, printJson } from '../../platform/command-line/output.js'
import { formatTable } from '../../platform/command-line/table.js'
import type { TableColumn } from '../../platform/command-line/table.js'
import { UsageError } from '../../platform/config/startup-error.js'
import { readSecretLine } from './api-access.js'
import { withClient } from './connection.js'
import { withJson, withList, withResult } from './remote-options.js'
import { limitOption, pagedOutput, printDeleted, printResource } from './remote-output.js'
import { definedFields, parseNameList } from './request-fields.js'
import { printOrWatch } from './watch.js'

type ListedTarget = ItemOf<'listNoticeTargets'>
type TestResult = ResultOf<'testNotices'>['results'][number]

const columns: TableColumn<ListedTarget>[] = [
  { title: 'id', value: ({ id }) => id },
  { title: 'type', value: ({ type }) => type },
  { title: 'address', value: ({ address }) => address },
  { title: 'failing since', value: ({ failing_since }) => failing_since, tone: () => 'bad', dropOrder: 3 },
  { title: 'last sent', value: ({ last_sent_at }) => last_sent_at, dropOrder: 2 },
  { title: 'events', value: ({ events }) => events, kind: 'text', dropOrder: 1 },
]

const testColumns: TableColumn<TestResult>[] = [
  {
    title: 'result',
    value: ({ delivered }) => (delivered ? 'sent' : 'failed'),
    tone: ({ delivered }) => (delivered ? 'good' : 'bad'),
  },
  { title: 'type', value: ({ type }) => type },
  { title: 'address', value: ({ address }) => address },
  { title: 'error', value: ({ error }) => error, kind: 'text' },
]

export function addNoticeCommands(program: Command): void {
  const notices = program
    .command('notices')
    .description('Manage the notice targets of the workspace')
    .helpCommand(false)
  withResult(
    notices
      .command('create')
      .description('Send notices of the workspace to a Slack or Discord channel, or to an email address')
      .addArgument(
        new Argument('<type>', 'type of the target').choices(['slack', 'discord', 'email'] as const),
      )
      .option('--url-file <file>', 'file with the incoming webhook URL of the channel')
      .option('--to <address>', 'email address')
      .option('--events <types>', 'event types, such as webhook.failing,webhook.disabled'),
    'notices create slack --url-file slack-url.txt',
  ).action((type, { urlFile, to, events, ...options }) => {
    const address = readAddress(urlFile, to)
    const names = { type: '<type>', address: to === undefined ? '--url-file' : '--to' }
    return withClient(
      options,
      async ({ notices }) => {
        const types = parseNameList(events) as BodyOf<'createNoticeTarget'>['events']
        printResource(await notices.create({ type, address, ...definedFields({ events: types }) }), options)
      },
      names,
    )
  })
  withList(
    notices
      .command('list')
      .description('List the notice targets of the workspace, newest first')
      .addOption(limitOption),
    'notices list',
  ).action((options) =>
    printOrWatch(options, ({ notices }) => pagedOutput(notices.list({ limit: 100 }), columns, options)),
  )
  withResult(
    notices
      .command('update')
      .description('Change which events are sent to a target')
      .argument('<target>', 'ID of the notice target')
      .requiredOption('--events <types>', 'event types, such as webhook.failing,webhook.disabled'),
    'notices update ntt_01kaj3v9z4f8hva3x7m2c5d6ne --events webhook.disabled',
  ).action((id, { events, ...options }) =>
    withClient(options, async ({ notices }) => {
      const types = parseNameList(events) as BodyOf<'updateNoticeTarget'>['events']
      printResource(await notices.update(id, definedFields({ events: types })), options)
    }),
  )
  withResult(
    notices
      .command('delete')
      .description('Delete a notice target; its unsent notices are dropped')
      .argument('<target>', 'ID of the notice target'),
    'notices delete ntt_01kaj3v9z4f8hva3x7m2c5d6ne',
  ).action((id, options) =>
    withClient(options, async ({ notices }) => {
      await notices.delete(id)
      printDeleted(id, options)
    }),
  )
  withJson(
    notices
      .command('test')
      .description('Send a message to every target; exits with 1 if one does not accept it'),
    'notices test',
  ).action((options) =>
    withClient(options, async ({ notices }) => {
      const tested = await notices.test()
      if (tested.results.some(({ delivered }) => !delivered)) process.exitCode = 1
      if (options.json) return printJson(tested)
      print(
        ...(tested.results.length === 0
          ? ['No notice targets.']
          : formatTable(testColumns, tested.results, outputScreen())),
      )
    }),
  )
}

/** The URL of a channel is a secret, so it is read from a file. */
function readAddress(urlFile: string | undefined, to: string | undefined): string {
  if (urlFile !== undefined && to === undefined) return readSecretLine('--url-file', urlFile)
  if (to !== undefined && urlFile === undefined) return to
  throw new UsageError(
    'For Slack and Discord, use --url-file with a file that contains the URL. For email, use --to.',
  )
}
