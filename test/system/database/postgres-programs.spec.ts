/** POSTGRES_BIN_DIR: the embedded database with the programs of a distribution. */
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { Client } from 'pg'

import { readSettings } from '../../../src/platform/config/env.js'
import { findBinaries } from '../../../src/platform/database/embedded/binaries.js'
import { openEmbeddedDatabase } from '../../../src/platform/database/embedded/embedded-postgres.js'

let folder: string
let postgresBinDir: string
let dataDir: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postgres-programs-'))
  // As root, the server runs as another user, who must be able to start the programs.
  await chmod(folder, 0o755)
  postgresBinDir = join(folder, 'bin')
  dataDir = join(folder, 'data')
  await mkdir(postgresBinDir)
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Installs programs that report a version as those of Debian do, and otherwise are the ones that npm installed. */
async function installPrograms(version: string): Promise<void> {
  const { postgres, initdb } = await findBinaries()
  const reportVersion = `[ "$1" = --version ] && echo "postgres (PostgreSQL) ${version}" && exit`
  for (const [name, lines] of Object.entries({
    postgres: [reportVersion, `exec "${postgres}" "$@"`],
    initdb: [`exec "${initdb}" "$@"`],
  }))
    await writeFile(join(postgresBinDir, name), ['#!/bin/sh', ...lines, ''].join('\n'), { mode: 0o755 })
}

const open = (setting = postgresBinDir) =>
  openEmbeddedDatabase({ ...readSettings({ DATA_DIR: dataDir, POSTGRES_BIN_DIR: setting }), use: 'service' })

it('creates and starts the database with the programs in the folder', async () => {
  await installPrograms('18.1 (Debian 18.1-1.pgdg13+2)')
  const database = await open()
  try {
    const client = new Client({ connectionString: database.url })
    await client.connect()
    await client.query('SELECT 1')
    await client.end()
  } finally {
    await database.release()
  }
  expect(await readFile(join(dataDir, 'postgres/PG_VERSION'), 'utf8')).toBe('18\n')
})

it('creates no database with a version that is too old', async () => {
  await installPrograms('15.14 (Debian 15.14-0+deb12u1)')
  await expect(open()).rejects.toThrow(
    `${postgresBinDir}/postgres is PostgreSQL 15. The embedded database needs version 17 or newer: change POSTGRES_BIN_DIR, or set DATABASE_URL.`,
  )
})

it('runs the programs in a folder relative to the working directory', async () => {
  await installPrograms('15.14')
  const cwd = process.cwd()
  process.chdir(folder)
  try {
    await expect(open('bin')).rejects.toThrow(/^\/.*\/bin\/postgres is PostgreSQL 15\./)
  } finally {
    process.chdir(cwd)
  }
})

it('explains which folder is needed when it lacks a program', async () => {
  await installPrograms('18.1')
  await rm(join(postgresBinDir, 'initdb'))
  await expect(open()).rejects.toThrow(
    /^POSTGRES_BIN_DIR must be the folder with the programs of a PostgreSQL server, such as .*initdb/,
  )
})
