/**
 * `node scripts/image/list-licenses.js SBOM`: prints the license of each package in a CycloneDX document of npm. Fails on
 * a license that is not known to permit use, changes and distribution.
 */
import { readFileSync } from 'node:fs'

const permitted = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'PostgreSQL',
  'Python-2.0',
  'Unlicense',
])

const { components } = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const rows = components
  .map(({ purl, version, licenses = [] }) => ({
    name: `${decodeURIComponent(purl.replace(/^pkg:npm\/(.+)@.*$/, '$1'))} ${version}`,
    license: licenses
      .map(({ license, expression }) => license?.id ?? license?.name ?? expression)
      .join(' AND '),
  }))
  .sort((a, b) => (a.name < b.name ? -1 : 1))
for (const { name, license } of rows) console.log(`${name}: ${license || 'none'}`)

const forbidden = rows.filter(({ license }) => !isPermitted(license))
for (const { name, license } of forbidden)
  console.error(`The license of ${name} is not known to permit use: ${license || 'none'}.`)
process.exitCode = forbidden.length > 0 ? 1 : 0

/** `A OR B` permits if one of them does, `A AND B` if both do. */
function isPermitted(license) {
  const text = license.replaceAll(/[()]/g, '')
  return text.split(' OR ').some((choice) => choice.split(' AND ').every((id) => permitted.has(id)))
}
