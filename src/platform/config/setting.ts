/** How a setting is declared. The declarations are in src/settings.ts. */

/** Makes a value of the text. Throws an Error whose message ends the sentence "NAME ...". */
export type Rule<T> = (text: string) => T

export interface Setting<T> {
  name: string
  rule: Rule<T>
  /** The default, as it would be written in the environment; null if there is none. */
  fallback: string | null
  sentence: string
  secret: boolean
  /** The value of a setting that is not written, where it depends on settings declared before it. */
  follow?: (settings: never) => T
  /** Writes the value for people. Without it they see the text that was written, or the default. */
  show?: (value: never) => string
  made?: MadeSecret
}

/** A secret that the first start makes in the data folder. With a database of the operator's it must be given. */
interface MadeSecret {
  file: string
  /** What the operator has to do after the secret was lost, as the end of a sentence. */
  ifLost: string
}

export type Declarations = Readonly<Record<string, Setting<unknown>>>

/** The values that settings with these declarations have. */
export type ValuesOf<D> = { [K in keyof D]: D[K] extends Setting<infer T> ? T : never }

export function setting<T>(name: string, rule: Rule<T>, fallback: string, sentence: string): Setting<T> {
  return { name, rule, fallback, sentence, secret: false }
}

export function optional<T>(name: string, rule: Rule<T>, sentence: string): Setting<T | null> {
  return { name, rule, fallback: null, sentence, secret: false }
}

export function following<T>(
  name: string,
  rule: Rule<T>,
  follow: (settings: never) => NoInfer<T>,
  sentence: string,
  show: (value: NoInfer<T>) => string = String,
): Setting<T> {
  return { name, rule, fallback: null, sentence, secret: false, follow, show }
}

/** For a setting whose text becomes another one, or that the command line can change. */
export function shownAsUsed<T extends string>(declared: Setting<T>): Setting<T> {
  return { ...declared, show: String }
}

export function secretly<T>(declared: Setting<T>): Setting<T> {
  return { ...declared, secret: true }
}

/** The value is an empty text until the data folder is known to be usable. */
export function madeSecret(
  name: string,
  rule: Rule<string>,
  made: MadeSecret,
  sentence: string,
): Setting<string> {
  return { name, rule, fallback: null, sentence, secret: true, follow: () => '', made }
}
