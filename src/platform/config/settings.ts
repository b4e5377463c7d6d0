import type { Settings } from './env.js'

/** The injection token of the settings; `Settings` itself is an interface and leaves no trace at run time. */
export const SETTINGS = Symbol('settings')

/** Settings after the database was opened: what may be absent in the environment is there. */
export interface RunningSettings extends Settings {
  databaseUrl: string
  tokenPepper: string
  encryptionKey: string
}
