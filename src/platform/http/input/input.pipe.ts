/** Validates bodies and queries against the classes that handlers declare, and reports all errors. */
import { Inject, Injectable } from '@nestjs/common'
import type { ArgumentMetadata, CanActivate, ExecutionContext, PipeTransform, Type } from '@nestjs/common'
import { getMetadataStorage, validateSync } from 'class-validator'
import type { FastifyRequest } from 'fastify'

import type { FieldErrorCode } from '../../../field-errors.js'
import type { Advice } from './fields.js'
import { SETTINGS } from '../../../settings.js'
import type { RunningSettings } from '../../../settings.js'
import { Problem, summarizeErrors } from '../problems/problem.js'
import type { ProblemCode } from '../../../problems.js'
import type { InputError } from '../problems/problem.js'
import { RefusedBody } from './body.js'

const maxErrors = 20
const maxNameLength = 64
const fieldsOfClass = new WeakMap<Type, ReadonlySet<string>>()

const repeatable = new WeakMap<object, ReadonlySet<string>>()

/** Marks a query parameter that may be repeated. Its value is always a list. */
export function IsRepeatable(): PropertyDecorator {
  return (target, key) => {
    repeatable.set(target, new Set(getRepeatableFields(target)).add(String(key)))
  }
}

/** Returns the repeatable parameters of a class and its base classes. */
function getRepeatableFields(prototype: object | null): ReadonlySet<string> {
  if (prototype === null) return new Set()
  return repeatable.get(prototype) ?? getRepeatableFields(Object.getPrototypeOf(prototype) as object | null)
}

/** Base class of query parameters. `QueryGuard` recognizes handlers with a query by it. */
export abstract class QueryInput {
  static readonly isQuery = true
}

/** A class may also check rules that depend on several fields or on settings. */
interface CheckedClass extends Type<Record<string, unknown>> {
  inputErrors?: (input: object, settings: RunningSettings) => InputError[]
}

/** The only global pipe. Validates `@Body()` and `@Query()`. Path parameters are validated when they are decoded. */
@Injectable()
export class InputPipe implements PipeTransform {
  constructor(@Inject(SETTINGS) private readonly settings: RunningSettings) {}

  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if (type === 'body')
      return this.check(
        metatype!,
        requireJsonObject(metatype!, value),
        pointerTo,
        'fields',
        'validation_failed',
      )
    if (type === 'query')
      return this.check(metatype!, value as Fields, parameterNamed, 'parameters', 'invalid_query')
    return value
  }

  private check(
    metatype: CheckedClass,
    fields: Fields,
    locateField: LocateField,
    noun: Noun,
    code: ProblemCode,
  ): Fields {
    const { input, errors } = validate(metatype, fields, locateField, noun)
    const named = new Set(errors.map((error) => 'pointer' in error && error.pointer))
    const more = metatype.inputErrors?.(input, this.settings) ?? []
    errors.push(...more.filter((error) => !('pointer' in error && named.has(error.pointer))))
    if (errors.length > 0)
      throw new Problem(code, { detail: summarizeErrors(errors)!, errors: errors.slice(0, maxErrors) })
    return input
  }
}

/** Returns the fields of a JSON body. A missing body has no fields, so it is valid if all fields are optional. */
function requireJsonObject(metatype: Type, body: unknown): Fields {
  if (!(body instanceof RefusedBody)) return (body ?? {}) as Fields
  if (body.isAbsent && hasOptionalBody(metatype)) return {}
  throw body.problem
}

function hasOptionalBody(metatype: Type): boolean {
  return validate(metatype, {}, pointerTo, 'fields').errors.length === 0
}

/** Validates an object inside a body. Returns its errors instead of throwing them. */
export function validateFields<T extends object>(
  metatype: Type<T>,
  given: Record<string, unknown>,
): { input: T; errors: InputError[] } {
  const { input, errors } = validate(metatype, given, pointerTo, 'fields')
  return { input: input as T, errors: errors.slice(0, maxErrors) }
}

/** Throws a problem with all errors, if there are any. */
export function throwIfInvalid(code: ProblemCode, errors: InputError[]): void {
  if (errors.length > 0) throw new Problem(code, { errors })
}

const refusedFields = new Map<unknown, ReadonlyMap<string, string>>()

/** Declares messages for unknown fields that callers may expect, with advice on what to do instead. */
export function Refuses(advice: Readonly<Record<string, string>>): ClassDecorator {
  return (metatype) => void refusedFields.set(metatype, new Map(Object.entries(advice)))
}

const notShown: InputError = { pointer: '', code: 'unknown_field', detail: '' }

type Fields = Record<string, unknown>
type LocateField = (name: string) => { pointer: string } | { parameter: string }
type Noun = 'fields' | 'parameters'

function validate(
  metatype: Type,
  given: Fields,
  locateField: LocateField,
  noun: Noun,
): { input: Fields; errors: InputError[] } {
  const fields = getFieldNames(metatype)
  const input = new metatype() as Fields
  const errors: InputError[] = []
  const repeated = new Set<string>()
  const many = getRepeatableFields(metatype.prototype as object)

  for (const name of Object.keys(given)) {
    if (!fields.has(name))
      // Further errors are only counted, because there may be 200,000 of them.
      errors.push(
        errors.length < maxErrors
          ? {
              ...locateField(name),
              code: 'unknown_field',
              detail: refusedFields.get(metatype)?.get(name) ?? unknownField(name, noun, fields),
            }
          : notShown,
      )
    else if (many.has(name)) input[name] = [given[name]].flat()
    else if (noun === 'parameters' && Array.isArray(given[name])) {
      repeated.add(name)
      errors.push({ ...locateField(name), code: 'duplicate', detail: 'Use this parameter only once.' })
    } else input[name] = given[name]
  }
  for (const { property, value, contexts = {} } of validateSync(input, {
    stopAtFirstError: true,
    forbidUnknownValues: false,
  })) {
    if (repeated.has(property)) continue
    // `contexts` contains the violated rule. The name of a rule is its error code (see `Rule`).
    const [code, { adviceFor }] = Object.entries(contexts)[0] as [FieldErrorCode, { adviceFor: Advice }]
    const advice = adviceFor(value)
    errors.push(
      value === undefined
        ? { ...locateField(property), code: 'required', detail: `This field is required. ${advice}` }
        : { ...locateField(property), code, detail: advice },
    )
  }
  return { input, errors }
}

function getFieldNames(metatype: Type): ReadonlySet<string> {
  let fields = fieldsOfClass.get(metatype)
  if (!fields) {
    const rules = getMetadataStorage().getTargetValidationMetadatas(metatype, '', false, false)
    fields = new Set(rules.map(({ propertyName }) => propertyName))
    fieldsOfClass.set(metatype, fields)
  }
  return fields
}

function pointerTo(name: string): { pointer: string } {
  return { pointer: `/${name.slice(0, maxNameLength).replaceAll('~', '~0').replaceAll('/', '~1')}` }
}

function parameterNamed(name: string): { parameter: string } {
  return { parameter: name.slice(0, maxNameLength) }
}

function unknownField(name: string, noun: string, fields: ReadonlySet<string>): string {
  const allowed =
    fields.size > 0 ? `Allowed ${noun}: ${[...fields].join(', ')}.` : `This request takes no ${noun}.`
  return `${name.slice(0, maxNameLength)} is unknown. ${allowed}`
}

/** Rejects query parameters on routes without a query. On all other routes, the pipe validates them. */
@Injectable()
export class QueryGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { url, query } = context.switchToHttp().getRequest<FastifyRequest>()
    if (!url.includes('?') || hasQuery(context)) return true
    const [name] = Object.keys(query as object)
    if (name === undefined) return true
    const parameter = name.slice(0, maxNameLength)
    throw new Problem('invalid_query', {
      errors: [{ parameter, code: 'unknown_field', detail: 'This request takes no query parameters.' }],
    })
  }
}

function hasQuery(context: ExecutionContext): boolean {
  const controller: Type = context.getClass()
  const prototype = controller.prototype as object
  const types: unknown = Reflect.getMetadata('design:paramtypes', prototype, context.getHandler().name)
  return ((types ?? []) as (Partial<typeof QueryInput> | undefined)[]).some((type) => type?.isQuery)
}
