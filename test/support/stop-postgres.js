import { rm } from 'node:fs/promises'

export default async function stopPostgres() {
  const postgres = globalThis.testPostgres
  await postgres.release()
  await rm(postgres.dataDir, { recursive: true, force: true })
}
