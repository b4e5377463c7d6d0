/** The manifests of the chart in deploy/helm, kept in test/system/kubernetes/manifests for tests without helm. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { loadAll } from 'js-yaml'

const folder = 'test/system/kubernetes'
const valuesFile = join(folder, 'values.json')

export type Values = Record<string, unknown>

export interface Manifest {
  apiVersion: string
  kind: string
  metadata: { name: string; labels: Record<string, string>; annotations?: Record<string, string> }
  spec: any
}

/** The values of each file of kept manifests, by the name of the file. */
export const valueSets: Readonly<Record<string, Values>> = JSON.parse(readFileSync(valuesFile, 'utf8'))

/** The hash of the chart from which the manifests were rendered. */
export const hashFile = join(folder, 'manifests/chart.sha256')

export const manifestsFile = (name: string) => join(folder, 'manifests', `${name}.yaml`)

export function readManifests(name: string): Manifest[] {
  return loadAll(readFileSync(manifestsFile(name), 'utf8')) as Manifest[]
}

/** The alerts and the version in Chart.yaml are not part of the hash and of the manifests, because others change them. */
export function hashChart(): string {
  const templates = readdirSync('deploy/helm/templates').map((name) => `deploy/helm/templates/${name}`)
  const files = ['deploy/helm/values.yaml', 'deploy/helm/values.schema.json', valuesFile, ...templates.sort()]
  const hash = createHash('sha256')
  for (const file of files) hash.update(readFileSync(file))
  return hash.digest('hex')
}

export function findManifest(manifests: readonly Manifest[], kind: string, name: string): Manifest {
  const found = manifests.find((each) => each.kind === kind && each.metadata.name === name)
  if (!found) throw new Error(`The chart has no ${kind} ${name}.`)
  return found
}

/** The templates of the pods, by component. */
export function listPods(manifests: readonly Manifest[]): { component: string; pod: any }[] {
  return manifests
    .filter(({ spec }) => spec?.template?.spec)
    .map(({ spec: { template } }) => ({
      component: template.metadata.labels['app.kubernetes.io/component'],
      pod: template.spec,
    }))
}

/** Returns the environment of a container, with the keys of the Secret. Fails without a key that is not optional. */
export function getEnvironment(
  container: { env: any[] },
  secret: Readonly<Record<string, string>>,
): Record<string, string> {
  const entries = container.env.flatMap(({ name, value, valueFrom }): [string, string][] => {
    if (!valueFrom) return [[name, value]]
    const { key, optional = false } = valueFrom.secretKeyRef
    if (secret[key] !== undefined) return [[name, secret[key]]]
    if (optional) return []
    throw new Error(`The Secret has no key ${key}.`)
  })
  return Object.fromEntries(entries)
}
