import { Global, Module } from '@nestjs/common'
import type { DynamicModule } from '@nestjs/common'

import type { Settings } from './env.js'
import { StartupError } from './startup-error.js'

/** The injection token of the settings; `Settings` itself is an interface and leaves no trace at run time. */
export const SETTINGS = Symbol('settings')

/** Settings after the database was opened. Values that may be absent in the environment are filled in. */
export interface RunningSettings extends Settings {
  databaseUrl: string
  tokenPepper: string
  encryptionKey: string
}

export function requireSharedDatabase({ role, databaseUrl }: Settings): void {
  if (role === 'worker' && databaseUrl === null)
    throw new StartupError(
      'A worker of its own needs DATABASE_URL: the embedded database belongs to one process. Set it, or start with ROLE=all.',
    )
}

/** Gives every module the settings. */
@Global()
@Module({})
export class ConfigModule {
  static with(settings: RunningSettings): DynamicModule {
    return {
      module: ConfigModule,
      providers: [{ provide: SETTINGS, useValue: settings }],
      exports: [SETTINGS],
    }
  }
}
