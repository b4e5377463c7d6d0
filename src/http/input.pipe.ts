/** Turns a body or a query into the class that its handler declares, or names everything that is wrong with it. */
import { Injectable } from '@nestjs/common'
import type { ArgumentMetadata, PipeTransform, Type } from '@nestjs/common'
import { getMetadataStorage, validateSync } from 'class-validator'

import { Problem } from './problem.js'
import type { InputError } from './problem.js'

const mostErrors = 20
const longestName = 64

@Injectable()
export class InputPipe implements PipeTransform {
  private readonly fields = new Map<Type, ReadonlySet<string>>()

  transform(value: unknown, { type, metatype, data }: ArgumentMetadata): unknown {
    if ((type !== 'body' && type !== 'query') || data !== undefined || !metatype || metatype === Object) return value
    const place = type === 'body' ? pointerTo : parameterNamed
    const given = value as Record<string, unknown>
    const fields = this.fieldsOf(metatype)
    const input = new metatype() as Record<string, unknown>
    const errors: InputError[] = []

    for (const name of Object.keys(given)) {
      if (!fields.has(name)) errors.push({ ...place(name), code: 'unknown_field', detail: unknownField(type, name, fields) })
      else if (type === 'query' && Array.isArray(given[name]))
        errors.push({ ...place(name), code: 'given_twice', detail: 'Give this parameter once.' })
      else input[name] = given[name]
    }
    const refused = new Set(errors.flatMap((error) => Object.values(error).slice(0, 1)))
    for (const { property, value: wrong, constraints = {} } of validateSync(input, { stopAtFirstError: true, forbidUnknownValues: false })) {
      const [code = 'invalid', detail = 'This value is not allowed.'] = Object.entries(constraints)[0] ?? []
      const where = place(property)
      if (refused.has(Object.values(where)[0] ?? '')) continue
      errors.push(wrong === undefined ? { ...where, code: 'required', detail: `This field is required. ${detail}` } : { ...where, code, detail })
    }

    if (errors.length > 0)
      throw new Problem(type === 'body' ? 'validation_failed' : 'invalid_query', {
        detail: summary(errors),
        errors: errors.slice(0, mostErrors),
      })
    return input
  }

  private fieldsOf(metatype: Type): ReadonlySet<string> {
    let fields = this.fields.get(metatype)
    if (!fields) {
      const rules = getMetadataStorage().getTargetValidationMetadatas(metatype, '', false, false)
      fields = new Set(rules.map(({ propertyName }) => propertyName))
      this.fields.set(metatype, fields)
    }
    return fields
  }
}

function pointerTo(name: string): { pointer: string } {
  return { pointer: `/${name.slice(0, longestName).replaceAll('~', '~0').replaceAll('/', '~1')}` }
}

function parameterNamed(name: string): { parameter: string } {
  return { parameter: name.slice(0, longestName) }
}

function unknownField(type: 'body' | 'query', name: string, fields: ReadonlySet<string>): string {
  const known = fields.size > 0 ? `Known here: ${[...fields].join(', ')}.` : `This call takes no ${type === 'body' ? 'fields' : 'parameters'}.`
  return `${name.slice(0, longestName)} is not known. ${known}`
}

function summary(errors: InputError[]): string {
  const [first] = errors
  const where = first && Object.values(first)[0]
  const rest = errors.length > 1 ? ` (and ${errors.length - 1} more)` : ''
  return `${where}: ${first?.detail ?? ''}${rest}`
}
