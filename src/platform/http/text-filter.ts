import { ApiPropertyOptional } from '@nestjs/swagger'

import { isPlainText, Optional, plainText, Rule } from './fields.js'
import { Repeatable } from './input.pipe.js'

const longestValue = 300

/** Filters take several values and match any of them. An empty value matches what is unknown. */
export function TextFilter(description: string, accepts?: readonly string[]): PropertyDecorator {
  const rule = accepts
    ? Rule('unknown_value', `Write one of ${accepts.filter(Boolean).join(', ')}.`, (values) =>
        (values as string[]).every((value) => accepts.includes(value)),
      )
    : Rule(
        'invalid_text',
        `Write at most ${longestValue} characters, without control characters.`,
        (values) =>
          (values as string[]).every((value) => value === '' || isPlainText(value, 1, longestValue)),
      )
  return (target, key) => {
    ApiPropertyOptional({
      description: `${description} May be given several times: any of them.`,
      type: 'array',
      items: accepts
        ? { type: 'string', enum: [...accepts] }
        : { type: 'string', maxLength: longestValue, pattern: `^$|${plainText}` },
    })(target, key)
    Optional()(target, key)
    Repeatable()(target, key)
    rule(target, key)
  }
}
