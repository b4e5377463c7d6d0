/** Generates clients from the OpenAPI document of a service, and runs a program with each client. */
import { exec } from 'node:child_process'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

import { eventTypes } from '../../../src/events/catalog.js'
import { generatorsFolder, howToInstall, isInstalled } from '../../support/generators.js'
import type { GeneratorPart } from '../../support/generators.js'
import { itIf } from '../../support/program.js'
import { recordExamples, startSending } from '../../support/sending.js'
import type { Sending } from '../../support/sending.js'

const programs = resolve('test/system/generators/programs')
const timeoutMs = 300_000

const openapiGenerator =
  'java -Dlog.level=error -jar "$INSTALLED"/java/openapi-generator-cli-*.jar generate -i openapi.json -c config.yaml'
const python = '"$INSTALLED/python/bin/python"'
const goBuild = 'cp "$PACKAGES"/go.* . && go build -o program .'
const tsc = 'ln -s "$NODE_MODULES" . && node node_modules/typescript/bin/tsc -p .'

interface Generator {
  /** The parts of install.sh that the commands need. */
  parts: GeneratorPart[]
  /** Generates a client, and compiles all its files and the program. */
  build: string
  program: string
}

/** By the folder of the program. */
const generators: Record<string, Generator> = {
  'openapi-generator/python': {
    parts: ['java', 'python'],
    build: `${openapiGenerator} -o . && ${python} -m compileall -q .`,
    program: `${python} program.py`,
  },
  'openapi-generator/go': {
    parts: ['java', 'go'],
    build: `${openapiGenerator} -o linkservice && rm -r linkservice/test && ${goBuild}`,
    program: './program',
  },
  'openapi-generator/java': {
    parts: ['java'],
    build: `${openapiGenerator} -o client && rm -r client/src/test && javac -nowarn -d classes -cp "$INSTALLED/java/*" $(find . -name '*.java')`,
    program: 'java -cp "classes:$INSTALLED/java/*" Program',
  },
  'openapi-generator/typescript': {
    parts: ['java'],
    build: `${openapiGenerator} -o client && ${tsc}`,
    program: 'node dist/program.js',
  },
  'openapi-python-client': {
    parts: ['python'],
    build: `"$INSTALLED/python/bin/openapi-python-client" generate --path openapi.json --meta none --output-path link_service --config config.yaml --fail-on-warning && ${python} -m compileall -q .`,
    program: `${python} program.py`,
  },
  'oapi-codegen': {
    parts: ['go'],
    build: `mkdir linkservice && "$INSTALLED/go/oapi-codegen" --config config.yaml openapi.json && ${goBuild}`,
    program: './program',
  },
  orval: {
    parts: ['typescript'],
    build: `node "$INSTALLED/typescript/node_modules/orval/dist/bin/orval.js" --config orval.config.mjs && ${tsc}`,
    program: 'node dist/program.js',
  },
}

let sending: Sending
let document: string
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'link-service-generators-'))
  sending = await startSending()
  document = (await sending.service.call('GET', '/openapi.json', { token: null })).text
  await recordExamples(sending, eventTypes)
})
afterAll(async () => {
  await sending.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Runs a command of a shell. Does not block, because the service runs in this process. */
async function runShell(command: string, cwd: string): Promise<string> {
  const { service, receiver } = sending
  const env = {
    ...process.env,
    NODE_OPTIONS: '',
    // Every package is installed already.
    GOPROXY: 'off',
    INSTALLED: generatorsFolder,
    PACKAGES: resolve('test/system/generators/packages'),
    NODE_MODULES: resolve('node_modules'),
    LINK_SERVICE_URL: `${service.origin}/api`,
    LINK_SERVICE_TOKEN: service.token,
    WEBHOOK_URL: `${receiver.origin}/hooks`,
  }
  try {
    return (await promisify(exec)(command, { cwd, env, maxBuffer: 100 * 1024 ** 2 })).stdout
  } catch (error) {
    // Compilers write errors to either stream. The message has standard error.
    const { message, stdout } = error as Error & { stdout: string }
    throw new Error(`${message}\n${stdout}`, { cause: error })
  }
}

describe.each(Object.entries(generators))('%s', (name, { parts, build, program }) => {
  itIf(parts.every(isInstalled), name, howToInstall)(
    'generates a client with which a program creates a link and a webhook, sends a test, and reads every event',
    async () => {
      const cwd = join(folder, name)
      await cp(join(programs, name), cwd, { recursive: true })
      await writeFile(join(cwd, 'openapi.json'), document)
      await runShell(build, cwd)
      const lines = (await runShell(program, cwd)).trimEnd().split('\n')
      expect(lines.splice(0, 4)).toEqual([
        'Created https://example.com/spring',
        'Listed https://example.com/spring',
        'Webhook for link.created, *',
        'Test delivered: true',
      ])
      const { body } = await sending.service.call('GET', '/v1/events?limit=100')
      const events = lines.map((line) => JSON.parse(line))
      expect(events).toEqual(body.data.map(({ type, data }: any) => ({ type, data })))
      expect(new Set(events.map(({ type }) => type))).toEqual(new Set(eventTypes))
    },
    timeoutMs,
  )
})
