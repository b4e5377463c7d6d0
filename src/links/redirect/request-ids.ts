import { randomBytes } from 'node:crypto'

const sane = /^[A-Za-z0-9._-]{1,64}$/

/** Gives each request its id: the one it came with when that is sane, else random per process and counted from there. */
export function requestIds(): (incoming: string | string[] | undefined) => string {
  const prefix = `${randomBytes(6).toString('hex')}-`
  let count = 0
  return (incoming) =>
    typeof incoming === 'string' && sane.test(incoming) ? incoming : prefix + (++count).toString(36)
}
