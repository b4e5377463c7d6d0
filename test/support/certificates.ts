/** Creates certificates for receivers in DER, because openssl may not be installed. */
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { isIP } from 'node:net'

export interface Certificate {
  cert: string
  key: string
}

interface CertificateFields {
  /** Host names and IPv4 addresses. */
  names?: string[]
  notBefore?: Date
  notAfter?: Date
}

export interface Authority {
  /** The PEM certificate, for clients that trust this authority. */
  cert: string
  issue(fields?: CertificateFields): Certificate
}

const yearMs = 365 * 24 * 3600 * 1000

export function makeAuthority(name = 'A test authority'): Authority {
  const { publicKey, privateKey } = keyPair()
  const issue = (subject: string, key: KeyObject, ca: boolean, fields: CertificateFields) =>
    certificate({ issuer: name, subject, publicKey: key, signWith: privateKey, ca, ...fields })
  return {
    cert: issue(name, publicKey, true, {}),
    issue: (fields = {}) => {
      const own = keyPair()
      return { cert: issue('A test receiver', own.publicKey, false, fields), key: pem(own.privateKey) }
    },
  }
}

export function selfSigned(fields: CertificateFields = {}): Certificate {
  const { publicKey, privateKey } = keyPair()
  const name = 'A test receiver on its own'
  return {
    cert: certificate({ issuer: name, subject: name, publicKey, signWith: privateKey, ca: false, ...fields }),
    key: pem(privateKey),
  }
}

function keyPair() {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' })
}

function pem(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString()
}

interface Contents extends CertificateFields {
  issuer: string
  subject: string
  publicKey: KeyObject
  signWith: KeyObject
  ca: boolean
}

function certificate(contents: Contents): string {
  const { issuer, subject, publicKey, signWith, ca, names = [] } = contents
  const { notBefore = new Date(Date.now() - yearMs), notAfter = new Date(Date.now() + yearMs) } = contents
  const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'))
  const serial = randomBytes(16)
  serial[0] = 0x01 // The number must be positive.
  const extensions = [
    extension('551d13', sequence(...(ca ? [der(0x01, Buffer.from([0xff]))] : []))),
    ...(names.length > 0 ? [extension('551d11', sequence(...names.map(alternativeName)))] : []),
  ]
  const toBeSigned = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, serial),
    ecdsaWithSha256,
    commonName(issuer),
    sequence(time(notBefore), time(notAfter)),
    commonName(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  )
  const signature = sign('sha256', toBeSigned, signWith)
  const signed = sequence(
    toBeSigned,
    ecdsaWithSha256,
    der(0x03, Buffer.concat([Buffer.from([0]), signature])),
  )
  return `-----BEGIN CERTIFICATE-----\n${signed.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`
}

function der(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

function sequence(...contents: Buffer[]): Buffer {
  return der(0x30, ...contents)
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'))
}

function commonName(text: string): Buffer {
  return sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(text)))))
}

function time(date: Date): Buffer {
  return der(0x18, Buffer.from(`${date.toISOString().replace(/\D/g, '').slice(0, 14)}Z`))
}

function extension(id: string, value: Buffer): Buffer {
  return sequence(oid(id), der(0x04, value))
}

function alternativeName(name: string): Buffer {
  return isIP(name) === 4 ? der(0x87, Buffer.from(name.split('.').map(Number))) : der(0x82, Buffer.from(name))
}
