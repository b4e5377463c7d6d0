/** Result of a check. */
export interface Finding {
  status: 'ok' | 'warn' | 'fail'
  message: string
}

export interface Check extends Finding {
  name: string
}

export const ok = (message: string): Finding => ({ status: 'ok', message })
export const warn = (message: string): Finding => ({ status: 'warn', message })
export const fail = (message: string): Finding => ({ status: 'fail', message })

/** Thrown for something that the first start creates. Reported as a warning. */
export class NotCreatedYet extends Error {}

/** Runs a check. An exception is a failure. */
export async function check(name: string, examine: () => Finding | Promise<Finding>): Promise<Check> {
  const finding = await attempt(examine)
  return finding instanceof Error ? failure(name, finding) : { name, ...finding }
}

export function failure(name: string, error: Error): Check {
  const finding = error instanceof NotCreatedYet ? warn : fail
  return { name, ...finding(getReason(error)) }
}

/** Returns the reason in one line. An `AggregateError` of failed connections has a code but no message. */
function getReason(error: Error): string {
  return (error.message || (error as NodeJS.ErrnoException).code || error.name).replaceAll(/\s+/g, ' ')
}

export async function attempt<T>(work: () => T | Promise<T>): Promise<T | Error> {
  try {
    return await work()
  } catch (error) {
    return error as Error
  }
}
