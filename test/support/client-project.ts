/** Installs a packed client into a strict TypeScript project, without a registry. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const execute = promisify(execFile)
const compilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  target: 'es2022',
  module: 'nodenext',
  types: ['node'],
  skipLibCheck: false,
}

interface ApiAccess {
  origin: string
  token: string
}

interface RunningProgram {
  output: () => string
  /** The whole output. Rejects if the program fails. */
  ended: Promise<string>
}

export class ClientProject {
  private constructor(private readonly folder: string) {}

  static async install(tarball: string): Promise<ClientProject> {
    const folder = await mkdtemp(join(tmpdir(), 'link-service-client-'))
    await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module', private: true }))
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['main.ts'] }))
    const install = ['install', '--offline', '--no-audit', '--no-fund', resolve(tarball)]
    await execute('npm', install, { cwd: folder })
    // The types of Node.js come from this checkout.
    await mkdir(join(folder, 'node_modules/@types'), { recursive: true })
    for (const name of ['@types/node', 'undici-types'])
      await symlink(resolve('node_modules', name), join(folder, 'node_modules', name))
    return new ClientProject(folder)
  }

  read(file: string): Promise<string> {
    return readFile(join(this.folder, 'node_modules/@link-service/client', file), 'utf8')
  }

  /** Returns the code blocks of the client's README. */
  async snippets(language: 'js' | 'ts'): Promise<string[]> {
    const blocks = (await this.read('README.md')).matchAll(
      new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'),
    )
    return [...blocks].map(([, code]) => code!)
  }

  /** Checks the types of a program, and starts it. */
  async startTyped(program: string, service: ApiAccess): Promise<RunningProgram> {
    await writeFile(join(this.folder, 'main.ts'), program)
    await execute(process.execPath, [resolve('node_modules/typescript/bin/tsc')], { cwd: this.folder })
    return this.start('main.js', service)
  }

  /** Checks the types of a program, runs it, and returns its output. */
  async runTyped(program: string, service: ApiAccess): Promise<string> {
    return (await this.startTyped(program, service)).ended
  }

  async run(program: string, service: ApiAccess): Promise<string> {
    await writeFile(join(this.folder, 'untyped.js'), program)
    return this.start('untyped.js', service).ended
  }

  private start(file: string, { origin, token }: ApiAccess): RunningProgram {
    const env = { ...process.env, LINK_SERVICE_URL: `${origin}/api`, LINK_SERVICE_TOKEN: token }
    let output = ''
    const running = execute(process.execPath, [file], { cwd: this.folder, env })
    running.child.stdout!.on('data', (text: string) => (output += text))
    return { output: () => output, ended: running.then(({ stdout }) => stdout) }
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true })
  }
}
