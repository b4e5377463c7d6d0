/** The programs that test/system/generators/install.sh installs. */
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

export const generatorsFolder =
  process.env['GENERATORS_FOLDER'] ??
  join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'link-service/generators')

export type GeneratorPart = 'java' | 'python' | 'go' | 'typescript' | 'oasdiff' | 'newman'

export function isInstalled(part: GeneratorPart): boolean {
  return existsSync(join(generatorsFolder, `${part}.installed`))
}

export const howToInstall = 'Run: bash test/system/generators/install.sh'
