/** Which authorities may vouch for a receiver: the well-known ones, and those in the operator's file. */
import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext, rootCertificates } from 'node:tls'
import type { SecureContext } from 'node:tls'

import { StartupError } from '../config/startup-error.js'

/** Made once: to read all the well-known certificates takes longer than a handshake. */
export function readTrust(caFile: string | null): SecureContext {
  if (caFile === null) return createSecureContext()
  return createSecureContext({ ca: [...rootCertificates, ...certificatesIn(caFile)] })
}

function certificatesIn(file: string): string[] {
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
