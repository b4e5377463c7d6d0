/** The programs that test/system/generators/install.sh installs. */
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** Where the scripts that install packages for tests put them. */
export const cacheFolder = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'link-service')

export const generatorsFolder = process.env['GENERATORS_FOLDER'] ?? join(cacheFolder, 'generators')

export type GeneratorPart = 'java' | 'python' | 'go' | 'typescript' | 'oasdiff' | 'newman'

export function isInstalled(part: GeneratorPart): boolean {
  return existsSync(join(generatorsFolder, `${part}.installed`))
}

export const howToInstall = 'Run: bash test/system/generators/install.sh'
