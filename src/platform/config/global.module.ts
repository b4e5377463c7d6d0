import { Global, Module } from '@nestjs/common'
import type { DynamicModule, Type } from '@nestjs/common'

import { SETTINGS } from '../../settings.js'
import type { RunningSettings } from '../../settings.js'

/** The only global module. Provides the settings, and exports the shared modules to all others. */
@Global()
@Module({})
export class GlobalModule {
  static forRoot(settings: RunningSettings, ...shared: (DynamicModule | Type)[]): DynamicModule {
    return {
      module: GlobalModule,
      imports: shared,
      providers: [{ provide: SETTINGS, useValue: settings }],
      exports: [SETTINGS, ...shared],
    }
  }
}
