/** Folders on small disks that a test can fill. Mounting them needs root. */
import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const canMount = process.getuid?.() === 0 && mounts()

export function mountDisk(folder: string, size: string): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder], { stdio: 'ignore' })
}

export function unmountDisk(folder: string): void {
  execFileSync('umount', ['--lazy', folder])
}

/** Fills the disk of a folder with one file, to the last byte. Returns the file. */
export function fillDisk(folder: string): string {
  const file = join(folder, 'filler')
  writeFileSync(file, '')
  for (const size of [4_096, 1])
    try {
      for (;;) appendFileSync(file, 'x'.repeat(size))
    } catch (error) {
      if ((error as { code?: string }).code !== 'ENOSPC') throw error
    }
  return file
}

function mounts(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'can-mount-'))
  try {
    mountDisk(folder, '256k')
    execFileSync('umount', [folder])
    return true
  } catch {
    return false
  } finally {
    rmSync(folder, { recursive: true })
  }
}
