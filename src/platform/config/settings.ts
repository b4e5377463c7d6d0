import { Global, Module } from '@nestjs/common'
import type { DynamicModule } from '@nestjs/common'

import type { platformSettings } from './platform-settings.js'
import type { Declarations, ValuesOf } from './setting.js'
import { StartupError } from './startup-error.js'

/** The injection token of the settings; `Settings` itself is an interface and leaves no trace at run time. */
export const SETTINGS = Symbol('settings')

/** The values of all settings. Features add theirs by `declare module`, beside the declarations. */
export interface SettingValues extends ValuesOf<typeof platformSettings> {}

/** Where each setting comes from, by its name; absent when it is not set. */
export type WrittenSettings = Readonly<Record<string, { text: string; source: 'environment' | 'env_file' }>>

/** The settings as the environment has them. Secrets that were not given are empty. */
export interface Settings extends SettingValues {
  declarations: Declarations
  written: WrittenSettings
}

/** Settings after the database was opened: its address and all secrets are there. */
export interface RunningSettings extends Settings {
  databaseUrl: string
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
