/** What is said of a setting: one entry of env.ts. */
import type { Rule } from './rules.js'

export interface Setting<T> {
  name: string
  rule: Rule<T>
  /** As it would be written in the environment; null where there is none. */
  fallback: string | null
  sentence: string
  secret: boolean
}

export function setting<T>(name: string, rule: Rule<T>, fallback: string, sentence: string): Setting<T> {
  return { name, rule, fallback, sentence, secret: false }
}

export function optional<T>(name: string, rule: Rule<T>, sentence: string): Setting<T | null> {
  return { name, rule, fallback: null, sentence, secret: false }
}

export function secretly<T>(declared: Setting<T>): Setting<T> {
  return { ...declared, secret: true }
}
