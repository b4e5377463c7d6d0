/** How to run this program from a shell. Every printed command uses it, so that users can copy the command. */
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { delimiter, dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

interface Surroundings {
  /** The file of this program, `dist/main.js`. */
  program: string
  /** The environment variable PATH. */
  path: string
  workingFolder: string
}

const name = 'link-service'
const ownProgram = fileURLToPath(new URL('../../main.js', import.meta.url))

/** Returns a command such as `link-service doctor`, as it can be run in the working folder of this process. */
export function commandText(words: string): string {
  return `${programName()} ${words}`
}

let cachedName: string | null = null

function programName(): string {
  cachedName ??= programNameIn({
    program: ownProgram,
    path: process.env['PATH'] ?? '',
    workingFolder: process.cwd(),
  })
  return cachedName
}

/** Returns the name for pages and responses, which must not show a path of this machine. */
export function publicProgramName(): string {
  return programName().startsWith('node ') ? name : programName()
}

/** Like `commandText`, for pages and responses. */
export function publicCommandText(words: string): string {
  return `${publicProgramName()} ${words}`
}

export function programNameIn({ program, path, workingFolder }: Surroundings): string {
  if (path.split(delimiter).some((folder) => isProgramIn(folder, program))) return name
  const checkout = dirname(dirname(program))
  // `--no` keeps npx from looking for the package in the registry.
  if (findPackageFolder(workingFolder) === checkout) return `npx --no ${name}`
  return `node ${/[^\w./-]/.test(program) ? JSON.stringify(program) : program}`
}

function isProgramIn(folder: string, program: string): boolean {
  // npx and npm add such folders only for the programs that they run.
  if (folder === '' || folder.endsWith(join(sep, 'node_modules', '.bin'))) return false
  try {
    return realpathSync(join(folder, name)) === realpathSync(program)
  } catch {
    return false
  }
}

/** Returns the folder that npm uses as the package of a working folder. */
function findPackageFolder(folder: string): string | null {
  if (['package.json', 'node_modules'].some((entry) => existsSync(join(folder, entry)))) return folder
  const parent = dirname(folder)
  return parent === folder ? null : findPackageFolder(parent)
}

/** The version of the service, from package.json. */
export const { version } = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
) as {
  version: string
}

/**
 * Returns the URL of a thread's program, given its path in `dist`. Threads load compiled files, even when a test runs
 * the code that starts them from source.
 */
export function workerProgram(path: string): URL {
  const isSource = import.meta.url.endsWith('.ts')
  return new URL(isSource ? `../../../dist/${path}` : `../../${path}`, import.meta.url)
}
