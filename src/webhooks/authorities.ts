/** Reads the additional certificate authorities of WEBHOOK_CA_FILE. */
import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'

import { StartupError } from '../platform/config/startup-error.js'

export function readAuthorities(file: string): string[] {
  const certificates = read(file).match(/-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----/gs) ?? []
  if (certificates.length === 0 || !certificates.every(isCertificate))
    throw new StartupError(`WEBHOOK_CA_FILE must name a file of certificates in PEM form; ${file} is none.`)
  return certificates
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new StartupError(`WEBHOOK_CA_FILE names ${file}, which cannot be read (${code ?? 'unknown'}).`)
  }
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).publicKey.type === 'public'
  } catch {
    return false
  }
}
