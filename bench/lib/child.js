/** A helper in a process of its own, which is sent one message after another and answers each. */
import { fork } from 'node:child_process'
import { once } from 'node:events'

/** The helper says one thing when it is ready, which is returned as `hello`, and ends when its channel is closed. */
export async function startHelper(undo, url, options) {
  const child = fork(url, [JSON.stringify(options ?? null)])
  const closed = once(child, 'exit')
  undo(async () => {
    if (child.connected) child.disconnect()
    await closed
  })
  const next = async () => {
    const ended = closed.then(() => {
      throw new Error(`${url} ended`)
    })
    return (await Promise.race([once(child, 'message'), ended]))[0]
  }
  const hello = await next()
  return {
    pid: child.pid,
    hello,
    ask(message) {
      child.send(message)
      return next()
    },
  }
}
