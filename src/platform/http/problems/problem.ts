import type { FieldErrorCode } from '../../../field-errors.js'
import { problems } from '../../../problems.js'
import type { ProblemCode } from '../../../problems.js'

/** The Retry-After of a 503 response. */
export const unavailableRetryAfter = '2'
/** The Content-Security-Policy of responses for programs, in which a browser must load and run nothing. */
export const dataContentPolicy = "default-src 'none'; frame-ancestors 'none'"

/** An error in the input: in a body field (JSON pointer), a query parameter or a header. */
export type InputError = ({ pointer: string } | { parameter: string } | { header: string }) & {
  code: FieldErrorCode
  detail: string
}

interface ProblemOptions {
  /** Explanation of this occurrence. Default: a summary of `errors`, else the title. */
  detail?: string
  errors?: InputError[]
  headers?: Record<string, string>
  /** Additional members of the response. */
  more?: Record<string, unknown>
  cause?: unknown
}

export class Problem extends Error {
  constructor(
    readonly code: ProblemCode,
    readonly options: ProblemOptions = {},
  ) {
    const detail = options.detail ?? summarizeErrors(options.errors) ?? `${problems[code].title}.`
    super(detail, { cause: options.cause })
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

/** Returns a 404 without the ID, so that unknown and inaccessible resources get the same response. */
export function notFound(kind: string, by = 'id'): Problem {
  return new Problem('not_found', { detail: `No ${kind} with this ${by === 'id' ? 'ID' : by} was found.` })
}

/** Returns the first error and the number of further ones. */
export function summarizeErrors(errors: readonly InputError[] = []): string | undefined {
  const [first] = errors
  if (!first) return undefined
  const where = Object.values(first)[0]!
  const others = errors.length > 1 ? ` And ${errors.length - 1} more.` : ''
  return `${where && `${where}: `}${first.detail}${others}`
}
