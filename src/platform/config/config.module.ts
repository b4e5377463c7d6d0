import { Global, Module } from '@nestjs/common'
import type { DynamicModule } from '@nestjs/common'

import { SETTINGS } from '../../settings.js'
import type { RunningSettings } from '../../settings.js'

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
