/**
 * `npm sbom --package-lock-only --sbom-format=cyclonedx | node scripts/image/filter-sbom.js`: prints the document without
 * packages that the image does not contain. With --omit, npm also omits packages that another one needs optionally.
 */
import { readFileSync } from 'node:fs'

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
const included = new Set(
  Object.entries(packages)
    .filter(
      ([path, { dev, optional, devOptional, link }]) => path && !dev && !optional && !devOptional && !link,
    )
    .map(([path, { name, version }]) => `${name ?? path.split('node_modules/').at(-1)}@${version}`),
)

const sbom = JSON.parse(readFileSync(0, 'utf8'))
const isIncluded = (reference) => included.has(reference) || reference === sbom.metadata.component['bom-ref']
sbom.components = sbom.components.filter((each) => isIncluded(each['bom-ref']))
sbom.dependencies = sbom.dependencies
  .filter(({ ref }) => isIncluded(ref))
  .map((each) => ({ ...each, dependsOn: each.dependsOn.filter(isIncluded) }))
process.stdout.write(`${JSON.stringify(sbom, null, 2)}\n`)
