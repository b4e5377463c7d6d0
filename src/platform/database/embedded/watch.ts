/**
 * Ends the server when all processes that used it are gone. A killed process cannot stop its server, but a session
 * inside the server can. The session checks once a second whether any process still holds the lock. It also runs
 * without a client.
 */
import type { Client } from 'pg'

import { openSession, lock } from './lock-session.js'
import type { DatabaseUse } from './lock-session.js'
import type { DataFolder } from './data-folder.js'
import type { Postmaster } from './postmaster.js'

/** Long enough for a service whose connection was cut to come back, and for a killed one to be started again. */
const quietSeconds = 5

const session = {
  name: 'watch',
  // The session must outlive its client, so PostgreSQL must not look whether the client is gone.
  options: '-c client_connection_check_interval=0 -c statement_timeout=0 -c lock_timeout=0',
}

/** Null while the server takes no connection. The session ends with the server, or at once if another one watches. */
export async function startWatch(
  folder: DataFolder,
  { pid, port }: Postmaster,
  password: string,
  use: DatabaseUse,
): Promise<Client | null> {
  const client = await openSession(session, folder, port, password)
  if (!client) return null
  // A service replaces the watch of others. It notices only the end of its own watch, and then starts another one.
  if (use === 'service') await client.query(endOthers)
  client
    .query(watching(pid))
    .catch(() => undefined)
    .finally(() => void client.end().catch(() => undefined))
  return client
}

const holders = (key: number) =>
  `select pid from pg_locks where locktype = 'advisory' and objsubid = 1 and classid = 0 and objid = ${key}
   and database = (select oid from pg_database where datname = current_database())`

const endOthers = `select pg_terminate_backend(pid, 5000) from (${holders(lock.watch)}) as watching`

/** Commits in every round: a transaction that stays open would keep vacuum from its work. */
const watching = (postmaster: number) => `do $$
declare
  quiet int := 0;
begin
  if not pg_try_advisory_lock(${lock.watch}) then
    return;
  end if;
  loop
    commit;
    perform pg_sleep(1);
    quiet := case when exists (${holders(lock.users)}) then 0 else quiet + 1 end;
    -- Whoever holds this lock keeps all others out.
    if quiet >= ${quietSeconds} and pg_try_advisory_lock(${lock.users}) then
      copy (select) to program 'cat > /dev/null; kill -INT ${postmaster}';
    end if;
  end loop;
end $$`
