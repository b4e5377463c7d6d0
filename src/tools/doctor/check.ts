/** One look at one thing, and what came of it. */
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

/** Not a mistake: the first start makes it. */
export class NotMadeYet extends Error {}

/** A check that throws has failed with what it threw. */
export async function check(name: string, look: () => Finding | Promise<Finding>): Promise<Check> {
  const found = await attempt(look)
  return found instanceof Error ? failure(name, found) : { name, ...found }
}

export function failure(name: string, error: Error): Check {
  const found = error instanceof NotMadeYet ? warn : fail
  return { name, ...found(reasonOf(error)) }
}

/** In one line. An error that stands for several attempts has a code and no message. */
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
