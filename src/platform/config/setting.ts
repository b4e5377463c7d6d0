/** Types and functions to declare settings. The declarations are in platform-settings.ts and src/settings.ts. */

/** Parses the text of a setting. Throws an Error whose message continues the sentence "NAME ...". */
export type Rule<T> = (text: string) => T

export interface Setting<T> {
  name: string
  rule: Rule<T>
  /** The default as text, or null if there is none. */
  fallback: string | null
  sentence: string
  secret: boolean
  /** Derives the default from settings that are declared earlier. */
  derive?: (settings: never) => T
  /** Formats the value for display. By default, the text of the setting or its default is shown. */
  show?: (value: never) => string
  generated?: GeneratedSecret
  /** Whether the data folder can contain the secret, unless the setting is set. */
  inDataFolder?: true
}

/** A secret that the first start generates in the data folder. With DATABASE_URL, the operator must set it. */
interface GeneratedSecret {
  file: string
  /** What to do if the secret is lost, as the end of a sentence. */
  ifLost: string
}

export type Declarations = Readonly<Record<string, Setting<unknown>>>

/** The values of settings with these declarations. */
export type ValuesOf<D> = { [K in keyof D]: D[K] extends Setting<infer T> ? T : never }

export function setting<T>(name: string, rule: Rule<T>, fallback: string, sentence: string): Setting<T> {
  return { name, rule, fallback, sentence, secret: false }
}

export function optional<T>(name: string, rule: Rule<T>, sentence: string): Setting<T | null> {
  return { name, rule, fallback: null, sentence, secret: false }
}

export function derived<T>(
  name: string,
  rule: Rule<T>,
  derive: (settings: never) => NoInfer<T>,
  sentence: string,
  show: (value: NoInfer<T>) => string = String,
): Setting<T> {
  return { name, rule, fallback: null, sentence, secret: false, derive, show }
}

/** Shows the value instead of the text, for settings that are normalized or that the command line can change. */
export function shownAsUsed<T extends string>(declared: Setting<T>): Setting<T> {
  return { ...declared, show: String }
}

export function secretSetting<T>(declared: Setting<T>): Setting<T> {
  return { ...declared, secret: true }
}

/** Declares a generated secret. Its value is empty until the data folder is open. */
export function generatedSecret(
  name: string,
  rule: Rule<string>,
  generated: GeneratedSecret,
  sentence: string,
): Setting<string> {
  return { name, rule, fallback: null, sentence, secret: true, derive: () => '', generated }
}

/** Declares the previous value of a generated secret. With the embedded database, a rotation stores it in a file. */
export function previousSecret(name: string, rule: Rule<string>, sentence: string): Setting<string | null> {
  return { ...secretSetting(optional(name, rule, sentence)), inDataFolder: true }
}
