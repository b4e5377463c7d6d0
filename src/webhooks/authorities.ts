/** Reads the additional certificate authorities of WEBHOOK_CA_FILE. */
import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'

import { StartupError } from '../platform/config/startup-error.js'

export function readAuthorities(file: string): string[] {
  const certificates = read(file).match(/-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----/gs) ?? []
  if (certificates.length === 0 || !certificates.every(isCertificate))
    throw new StartupError(
      `WEBHOOK_CA_FILE must be the path of a file with PEM certificates; ${file} is not one.`,
    )
  return certificates
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new StartupError(`WEBHOOK_CA_FILE cannot be read: ${file} (${code ?? 'unknown'}).`)
  }
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).publicKey.type === 'public'
  } catch {
    return false
  }
}
