/** A helper process that responds to each message. */
import { fork } from 'node:child_process'
import { once } from 'node:events'

/** Starts a helper. Its first message, sent when it is ready, is `hello`. It exits when the channel closes. */
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
    request(message) {
      child.send(message)
      return next()
    },
  }
}
