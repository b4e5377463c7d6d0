import { runCommand } from './command-line.js'

interface Result {
  out: string
  err: string
  code: unknown
}

async function run(line: string): Promise<Result> {
  const [out, err] = [capture(process.stdout), capture(process.stderr)]
  const before = process.exitCode
  process.exitCode = 0
  try {
    await runCommand(line.split(' '))
    return { out: out.text(), err: err.text(), code: process.exitCode }
  } finally {
    process.exitCode = before
    out.stop()
    err.stop()
  }
}

function capture(stream: NodeJS.WriteStream) {
  const write = stream.write.bind(stream)
  let text = ''
  stream.write = (piece: string | Uint8Array) => {
    text += String(piece)
    return true
  }
  return { text: () => text, stop: () => void (stream.write = write) }
}

it.each([
  ['lnks get', "error: unknown command 'lnks' (Did you mean links?)"],
  ['links gt x', "error: unknown command 'gt' (Did you mean get?)"],
  ['serve', "error: unknown command 'serve'"],
  ['toString', "error: unknown command 'toString'"],
  ['links get x --tokn y', "error: unknown option '--tokn' (Did you mean --token?)"],
  ['links get x --constructor', "error: unknown option '--constructor'"],
  ['migrate --json', "error: unknown option '--json'"],
  ['links get x --token', "error: option '--token <token>' argument missing"],
  ['links get', "error: missing required argument 'link'"],
  ['links get x y', "error: too many arguments for 'get'. Expected 1 argument but got 2."],
  ['all x', "error: too many arguments for 'all'. Expected 0 arguments but got 1."],
  ['--json', "error: unknown option '--json'"],
])('prints one line and exits with 2 for: %s', async (line, message) => {
  expect(await run(line)).toEqual({ out: '', err: `${message}\n`, code: 2 })
})

it('lists the commands of a group if no command is given', async () => {
  const { out, err, code } = await run('links')
  expect({ out, code }).toEqual({ out: '', code: 2 })
  expect(err).toMatch(/\n {2}create .*<url> +Create a short link\n/)
})

it.each(['--help', '-h', 'help'])('lists the commands by purpose for %s', async (line) => {
  const { out, err, code } = await run(line)
  expect({ err, code }).toEqual({ err: '', code: 0 })
  expect(out).toMatch(/\nRun the service:\n {2}all +Run the API/)
  expect(out).toMatch(/\nManage the installation \(uses the database\):\n {2}migrate +Apply/)
  expect(out).toMatch(/\nCall the API \(requires a token\):\n {2}links +Create/)
})

it.each(['links get --help', 'links get --help --nonsense', 'links get -h', 'help links get'])(
  'shows the options and an example of a command for %s',
  async (line) => {
    const { out, err, code } = await run(line)
    expect({ err, code }).toEqual({ err: '', code: 0 })
    expect(out).toMatch(/^Usage: link-service links get \[options\] <link>\n/)
    expect(out).toMatch(/\n {2}--json +print one JSON document/)
    expect(out).toMatch(/\nExample:\n {2}link-service links get lnk_/)
  },
)

it.each(['version', '--version', '-v'])('prints the version for %s', async (line) => {
  expect(await run(line)).toEqual({ out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), err: '', code: 0 })
})

it('accepts --url and --profile in every command that accepts --token', async () => {
  const { out } = await run('completion fish')
  const commandsWith = (option: string) =>
    out
      .split('\n')
      .flatMap((line) => new RegExp(`_at \\\\'(.*?)\\\\'' .*-l ${option} `).exec(line)?.[1] ?? [])
  expect(commandsWith('token')).toEqual(
    expect.arrayContaining([' links list', ' export', ' listen', ' open']),
  )
  for (const option of ['url', 'profile'])
    expect(commandsWith(option)).toEqual(expect.arrayContaining(commandsWith('token')))
})

it('rejects an empty argument', async () => {
  await expect(runCommand(['links', 'get', ''])).rejects.toThrow('An argument is empty.')
})
