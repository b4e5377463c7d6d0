/** What classes of input declare for their fields. A subclass has the fields of its parents too. */
import type { Type } from '@nestjs/common'

export interface FieldRule {
  code: string
  accepts: (value: unknown) => boolean
  /** What to write instead of this value. */
  advice: (value: unknown) => string
}

export interface Field {
  rules: FieldRule[]
  /** Whether the rules are asked about this value: an optional field may be absent. */
  isJudged: (value: unknown) => boolean
}

const declared = new WeakMap<object, Map<string, Field>>()
const fieldsOfClass = new WeakMap<Type, ReadonlyMap<string, Field>>()

export function declareRule(rule: FieldRule): PropertyDecorator {
  return (prototype, name) => void fieldOf(prototype, String(name)).rules.push(rule)
}

export function declareJudged(isJudged: Field['isJudged']): PropertyDecorator {
  return (prototype, name) => {
    fieldOf(prototype, String(name)).isJudged = isJudged
  }
}

function fieldOf(prototype: object, name: string): Field {
  const own = declared.get(prototype) ?? new Map<string, Field>()
  declared.set(prototype, own)
  const field = own.get(name) ?? { rules: [], isJudged: () => true }
  own.set(name, field)
  return field
}

/** The fields by their names, those of the class itself first. */
export function fieldsOf(metatype: Type): ReadonlyMap<string, Field> {
  let fields = fieldsOfClass.get(metatype)
  if (!fields) fieldsOfClass.set(metatype, (fields = new Map(fieldsBelow(metatype.prototype as object))))
  return fields
}

function fieldsBelow(prototype: object | null): [string, Field][] {
  if (prototype === null) return []
  const own = declared.get(prototype) ?? new Map<string, Field>()
  const inherited = fieldsBelow(Object.getPrototypeOf(prototype) as object | null)
  return [...own, ...inherited.filter(([name]) => !own.has(name))]
}

/** The rule of the field that the value breaks; undefined where it breaks none. */
export function brokenRule({ rules, isJudged }: Field, value: unknown): FieldRule | undefined {
  return isJudged(value) ? rules.find(({ accepts }) => !accepts(value)) : undefined
}
