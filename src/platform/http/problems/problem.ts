import type { FieldErrorCode } from '../../../field-errors.js'
import { problems } from '../../../problems.js'
import type { ProblemCode } from '../../../problems.js'

/** The Retry-After of an answer that says that something is unavailable. */
export const awaySeconds = '2'
/** The Content-Security-Policy of answers for programs. A browser loads and runs nothing in them. */
export const policyOfData = "default-src 'none'; frame-ancestors 'none'"

/** One wrong place in the input: a body field (JSON pointer), a query parameter or a header. */
export type InputError = ({ pointer: string } | { parameter: string } | { header: string }) & {
  code: FieldErrorCode
  detail: string
}

interface ProblemOptions {
  /** What happened this time. If it is absent, a summary of `errors` or else the title takes its place. */
  detail?: string
  errors?: InputError[]
  headers?: Record<string, string>
  /** Members of the answer beside the standard ones. */
  more?: Record<string, unknown>
  cause?: unknown
}

export class Problem extends Error {
  constructor(
    readonly code: ProblemCode,
    readonly options: ProblemOptions = {},
  ) {
    super(options.detail ?? summary(options.errors) ?? problems[code].title, { cause: options.cause })
  }

  get status(): number {
    return problems[this.code].status
  }

  toBody(publicUrl: string, requestId: string): Record<string, unknown> {
    return {
      type: `${publicUrl}/errors/${this.code}`,
      title: problems[this.code].title,
      status: this.status,
      detail: this.message,
      instance: requestId,
      code: this.code,
      ...(this.options.errors ? { errors: this.options.errors } : {}),
      ...this.options.more,
    }
  }
}

/** A 404 that names no id, so that what the caller may not see gets the same answer as what is unknown. */
export function notFound(kind: string, by = 'id'): Problem {
  return new Problem('not_found', { detail: `No ${kind} has this ${by}.` })
}

/** The first wrong place, what to write there, and the number of further wrong places. */
export function summary(errors: readonly InputError[] = []): string | undefined {
  const [first] = errors
  if (!first) return undefined
  const where = Object.values(first)[0]!
  const rest = errors.length > 1 ? ` And ${errors.length - 1} more.` : ''
  return `${where && `${where}: `}${first.detail}${rest}`
}
