/** A child process that responds to one message at a time. */
export class Child {
  constructor(child) {
    this.child = child
    this.messages = []
    this.waiting = []
    child.on('message', (message) => {
      const waiter = this.waiting.shift()
      if (waiter) waiter(message)
      else this.messages.push(message)
    })
  }

  async next() {
    return this.messages.shift() ?? (await new Promise((resolve) => this.waiting.push(resolve)))
  }

  request(message) {
    this.child.send(message)
    return this.next()
  }
}
