/** Turns a body or a query into the class that its handler declares, or names everything that is wrong with it. */
import { Injectable, Query } from '@nestjs/common'
import type { ArgumentMetadata, CanActivate, ExecutionContext, PipeTransform, Type } from '@nestjs/common'
import { getMetadataStorage, validateSync } from 'class-validator'
import type { FastifyRequest } from 'fastify'

import type { FieldErrorCode } from '../../../field-errors.js'
import type { Advice } from './fields.js'
import { Problem, summary } from '../problems/problem.js'
import type { ProblemCode } from '../../../problems.js'
import type { InputError } from '../problems/problem.js'

const mostErrors = 20
const longestName = 64
const fieldsOfClass = new WeakMap<Type, ReadonlySet<string>>()

const repeatable = new WeakMap<object, ReadonlySet<string>>()

/** Marks a query parameter that may be given several times. The input has a list of its values, even for one. */
export function TakesSeveral(): PropertyDecorator {
  return (target, key) => {
    repeatable.set(target, new Set(repeatableOf(target)).add(String(key)))
  }
}

/** The repeatable parameters of a class, with those of the classes that it extends. */
function repeatableOf(prototype: object | null): ReadonlySet<string> {
  if (prototype === null) return new Set()
  return repeatable.get(prototype) ?? repeatableOf(Object.getPrototypeOf(prototype) as object | null)
}

const handlersWithQuery = new WeakSet<object>()

/** Replaces Nest's own `@Query()` and checks the query. */
export function QueryInput(): ParameterDecorator {
  return (target, key, index) => {
    const method = key && Object.getOwnPropertyDescriptor(target, key)
    if (method) handlersWithQuery.add(method.value as object)
    Query(QueryPipe)(target, key, index)
  }
}

function takesQuery(handler: object): boolean {
  return handlersWithQuery.has(handler)
}

@Injectable()
class QueryPipe implements PipeTransform {
  transform(value: Record<string, unknown>, { metatype }: ArgumentMetadata): unknown {
    return checkInput(metatype!, value, parameterNamed, 'parameters', 'invalid_query')
  }
}

type BodyFault = InputError & { pointer: string }

@Injectable()
export class BodyPipe implements PipeTransform {
  transform(value: Record<string, unknown>, { metatype }: ArgumentMetadata): unknown {
    return checkInput(metatype!, value, pointerTo, 'fields', 'validation_failed', this.faultsOf)
  }

  /** A feature's own pipe sets this, to add faults that only its services can find. They are named with all others. */
  protected faultsOf: (input: object) => BodyFault[] = () => []
}

function checkInput(
  metatype: Type,
  given: Record<string, unknown>,
  pointerTo: PointerTo,
  noun: Noun,
  code: ProblemCode,
  moreFaults: (input: object) => BodyFault[] = () => [],
): unknown {
  const { input, errors } = judge(metatype, given, pointerTo, noun)
  const named = new Set(errors.map((error) => 'pointer' in error && error.pointer))
  errors.push(...moreFaults(input).filter(({ pointer }) => !named.has(pointer)))
  if (errors.length > 0)
    throw new Problem(code, { detail: summary(errors)!, errors: errors.slice(0, mostErrors) })
  return input
}

/** Checks an object inside a body. Its errors are returned and not thrown. */
export function examine<T extends object>(
  metatype: Type<T>,
  given: Record<string, unknown>,
): { input: T; errors: InputError[] } {
  const { input, errors } = judge(metatype, given, pointerTo, 'fields')
  return { input: input as T, errors: errors.slice(0, mostErrors) }
}

/** Refuses a call if there are errors in its input, and names them all. */
export function refuseInput(code: ProblemCode, errors: InputError[]): void {
  if (errors.length > 0) throw new Problem(code, { errors })
}

const refusedFields = new Map<unknown, ReadonlyMap<string, string>>()

/** Names fields that callers may expect but that the input does not have. Each has advice on what to do instead. */
export function Refuses(advice: Readonly<Record<string, string>>): ClassDecorator {
  return (metatype) => void refusedFields.set(metatype, new Map(Object.entries(advice)))
}

const notShown: InputError = { pointer: '', code: 'unknown_field', detail: '' }

type PointerTo = (name: string) => { pointer: string } | { parameter: string }
type Noun = 'fields' | 'parameters'

function judge(
  metatype: Type,
  given: Record<string, unknown>,
  pointerTo: PointerTo,
  noun: Noun,
): { input: Record<string, unknown>; errors: InputError[] } {
  const fields = fieldsOf(metatype)
  const input = new metatype() as Record<string, unknown>
  const errors: InputError[] = []
  const repeated = new Set<string>()
  const many = repeatableOf(metatype.prototype as object)

  for (const name of Object.keys(given)) {
    if (!fields.has(name))
      // Errors that are not shown are only counted, because there may be two hundred thousand.
      errors.push(
        errors.length < mostErrors
          ? {
              ...pointerTo(name),
              code: 'unknown_field',
              detail: refusedFields.get(metatype)?.get(name) ?? unknownField(name, noun, fields),
            }
          : notShown,
      )
    else if (many.has(name)) input[name] = [given[name]].flat()
    else if (noun === 'parameters' && Array.isArray(given[name])) {
      repeated.add(name)
      errors.push({ ...pointerTo(name), code: 'given_twice', detail: 'Use this parameter only once.' })
    } else input[name] = given[name]
  }
  for (const { property, value, contexts = {} } of validateSync(input, {
    stopAtFirstError: true,
    forbidUnknownValues: false,
  })) {
    if (repeated.has(property)) continue
    // A rule's name is its code (see `Rule`), and the library names a rule that was broken.
    const [code, { adviceFor }] = Object.entries(contexts)[0] as [FieldErrorCode, { adviceFor: Advice }]
    const advice = adviceFor(value)
    errors.push(
      value === undefined
        ? { ...pointerTo(property), code: 'required', detail: `This field is required. ${advice}` }
        : { ...pointerTo(property), code, detail: advice },
    )
  }
  return { input, errors }
}

function fieldsOf(metatype: Type): ReadonlySet<string> {
  let fields = fieldsOfClass.get(metatype)
  if (!fields) {
    const rules = getMetadataStorage().getTargetValidationMetadatas(metatype, '', false, false)
    fields = new Set(rules.map(({ propertyName }) => propertyName))
    fieldsOfClass.set(metatype, fields)
  }
  return fields
}

function pointerTo(name: string): { pointer: string } {
  return { pointer: `/${name.slice(0, longestName).replaceAll('~', '~0').replaceAll('/', '~1')}` }
}

function parameterNamed(name: string): { parameter: string } {
  return { parameter: name.slice(0, longestName) }
}

function unknownField(name: string, noun: string, fields: ReadonlySet<string>): string {
  const known =
    fields.size > 0 ? `Allowed ${noun}: ${[...fields].join(', ')}.` : `This request takes no ${noun}.`
  return `${name.slice(0, longestName)} is unknown. ${known}`
}

/** Refuses a query on calls that take none. For all other calls, the pipe checks the parameters. */
@Injectable()
export class QueryGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { url, query } = context.switchToHttp().getRequest<FastifyRequest>()
    if (!url.includes('?') || takesQuery(context.getHandler())) return true
    const [name] = Object.keys(query as object)
    if (name === undefined) return true
    const parameter = name.slice(0, longestName)
    throw new Problem('invalid_query', {
      errors: [{ parameter, code: 'unknown_field', detail: 'This request takes no query parameters.' }],
    })
  }
}
