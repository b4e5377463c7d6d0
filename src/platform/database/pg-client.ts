import pg from 'pg'

/**
 * A connection whose end is never an error that nobody listens to, for that would end the process. The pool listens while
 * it is idle and TypeORM while it is in use; a server that goes away may report it in between, or twice.
 */
export class PgClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config)
    this.on('error', () => undefined)
  }
}
