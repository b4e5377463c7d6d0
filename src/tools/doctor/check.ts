/** What one check has found. */
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

/** Something is missing that the first start makes, so it is no mistake. */
export class NotMadeYet extends Error {}

/** Runs a check. If it throws, it has failed with that error. */
export async function check(name: string, look: () => Finding | Promise<Finding>): Promise<Check> {
  const found = await attempt(look)
  return found instanceof Error ? failure(name, found) : { name, ...found }
}

export function failure(name: string, error: Error): Check {
  const found = error instanceof NotMadeYet ? warn : fail
  return { name, ...found(reasonOf(error)) }
}

/** The reason in one line. The error for several failed attempts to connect has a code but no message. */
function reasonOf(error: Error): string {
  return (error.message || (error as NodeJS.ErrnoException).code || error.name).replaceAll(/\s+/g, ' ')
}

export async function attempt<T>(work: () => T | Promise<T>): Promise<T | Error> {
  try {
    return await work()
  } catch (error) {
    return error as Error
  }
}
