/** A file in the data folder that tells commands the URLs of the running service. */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { getThisProcess, isProcessAlive } from '../util/process-identity.js'
import type { ProcessIdentity } from '../util/process-identity.js'

export interface RunningService extends ProcessIdentity {
  port: number
  /** The URL of the API on this machine. */
  apiUrl: string
  publicUrl: string
}

/**
 * Returns the URL of the API for commands on this machine. Not of `localhost`: another program may listen on this port of
 * its other address, and would get the tokens.
 */
export function createLocalApiUrl(host: string, port: number, basePath: string): string {
  const reachableHost = /^(?:0\.0\.0\.0|::)$/.test(host) ? '127.0.0.1' : host
  return `http://${reachableHost.includes(':') ? `[${reachableHost}]` : reachableHost}:${port}${basePath}`
}

function fileIn(dataDir: string): string {
  return join(dataDir, 'service.json')
}

export function writeRunningService(dataDir: string, service: RunningService): void {
  mkdirSync(dataDir, { recursive: true })
  const draft = `${fileIn(dataDir)}.${service.pid}.tmp`
  writeFileSync(draft, `${JSON.stringify(service)}\n`)
  renameSync(draft, fileIn(dataDir))
}

/** Removes the file, unless another process has replaced it. Does nothing if the folder is no longer writable. */
export function removeRunningService(dataDir: string): void {
  const service = readFile(dataDir)
  if (!service || !isSameProcess(service, getThisProcess())) return
  try {
    rmSync(fileIn(dataDir), { force: true })
  } catch {
    // Commands ignore the file of a process that has ended.
  }
}

/** Returns the service that uses the data folder, or null. A killed service leaves its file behind. */
export function readRunningService(dataDir: string): RunningService | null {
  const service = readFile(dataDir)
  return service && isRunning(service) ? service : null
}

/** The PID alone is not enough: the processes of two containers that share a volume may both have PID 1. */
function isSameProcess(a: ProcessIdentity, b: ProcessIdentity): boolean {
  return a.pid === b.pid && a.startTime === b.startTime && a.pidNamespace === b.pidNamespace
}

function readFile(dataDir: string): RunningService | null {
  try {
    const service = JSON.parse(readFileSync(fileIn(dataDir), 'utf8')) as Partial<RunningService>
    if (!Number.isInteger(service.pid) || !Number.isInteger(service.port)) return null
    if (!URL.canParse(service.apiUrl ?? '') || !URL.canParse(service.publicUrl ?? '')) return null
    return service as RunningService
  } catch {
    return null
  }
}

/** Another process may have the PID by now, and must not receive the token of a command. 0.1.0 wrote only the PID. */
function isRunning(service: RunningService): boolean {
  const self = getThisProcess()
  if (service.bootId && service.bootId !== self.bootId) return false
  return isProcessAlive(service, self) ?? isPidInUse(service.pid)
}

function isPidInUse(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // The process of another user exists, but cannot be signaled.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
