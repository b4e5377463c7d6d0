/**
 * The subset of JSON Schema that event payloads need, and the TypeScript type of each schema. The compiler thus checks
 * payloads against the published schemas.
 */
interface Scalar {
  type: 'string' | 'integer' | 'boolean'
  description?: string
  format?: 'date-time' | 'uri'
  enum?: readonly (string | number)[]
}

interface ObjectSchema {
  type: 'object'
  /** Name of the type in generated code. */
  title?: string
  description?: string
  properties: Readonly<Record<string, Schema>>
  required: readonly string[]
}

interface ArraySchema {
  type: 'array'
  description?: string
  items: Schema
}

interface Nullable {
  anyOf: readonly [Schema, { type: 'null' }]
}

export type Schema = Scalar | ObjectSchema | ArraySchema | Nullable

/** A schema that is built at run time, so that the compiler cannot derive its type. */
interface Typed<T> {
  readonly describedType?: T
}

/** States the type of a schema that is built at run time. */
export function typedAs<T extends object>(): <S extends ObjectSchema>(schema: S) => S & Typed<T> {
  return (schema) => schema
}

export type TypeOf<S> = S extends { readonly describedType?: infer T }
  ? NonNullable<T>
  : S extends { anyOf: readonly [infer T, unknown] }
    ? TypeOf<T> | null
    : S extends { enum: readonly (infer E)[] }
      ? E
      : S extends { type: 'object'; properties: infer P; required: readonly (infer R)[] }
        ? { [K in keyof P & R]: TypeOf<P[K]> } & { [K in Exclude<keyof P, R>]?: TypeOf<P[K]> }
        : S extends { type: 'array'; items: infer I }
          ? TypeOf<I>[]
          : S extends { type: 'string' }
            ? string
            : S extends { type: 'integer' }
              ? number
              : S extends { type: 'boolean' }
                ? boolean
                : never

type Properties = Readonly<Record<string, Schema>>

export function object<const P extends Properties>(
  properties: P,
): { type: 'object'; properties: P; required: (keyof P & string)[] } {
  return { type: 'object', properties, required: Object.keys(properties) }
}

/** Adds the name and the description for the OpenAPI document. */
export function named<const S extends Schema & { type: 'object' }>(
  title: string,
  description: string,
  schema: S,
): S & { title: string; description: string } {
  return { title, description, ...schema }
}

/** An object whose properties are all optional. */
export function partial<const P extends Properties>(
  properties: P,
): { type: 'object'; properties: P; required: never[] } {
  return { type: 'object', properties, required: [] }
}

export function list<const I extends Schema>(items: I): { type: 'array'; items: I } {
  return { type: 'array', items }
}

export function nullable<const S extends Schema>(schema: S): { anyOf: [S, { type: 'null' }] } {
  return { anyOf: [schema, { type: 'null' }] }
}

export const text = { type: 'string' } as const
export const integer = { type: 'integer' } as const
export const flag = { type: 'boolean' } as const
export const time = { type: 'string', format: 'date-time' } as const
