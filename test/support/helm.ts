/** Renders the chart in deploy/helm with helm, and validates it with helm and kubeconform. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

import { loadAll } from 'js-yaml'

import type { Manifest, Values } from './chart.js'
import { cacheFolder } from './generators.js'

const folder = join(cacheFolder, 'helm')
const hasHelm = existsSync(join(folder, 'installed'))
if (!hasHelm)
  process.stderr.write(
    'Skipped: rendering of the Helm chart, because helm is not installed. Run: bash test/system/kubernetes/install.sh\n',
  )

/** `describe`, or `describe.skip` without helm. */
export const describeWithHelm = hasHelm ? describe : describe.skip

/** The values that have no default. */
const requiredValues = { existingSecret: 'link-service', publicUrl: 'https://links.example' }

/** Renders the chart. Throws with the message of helm if the values are invalid. */
export function renderChart(values: Values = {}): { text: string; manifests: Manifest[] } {
  const input = JSON.stringify({ ...requiredValues, ...values })
  const { status, stdout, stderr } = spawnSync(
    join(folder, 'helm'),
    // helm itself assumes an old version of Kubernetes.
    ['template', 'links', 'deploy/helm', '--namespace', 'prod', '--kube-version', '1.27.0', '--values', '-'],
    { input, encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(stderr)
  const manifests = (loadAll(stdout) as (Manifest | null)[]).filter((each) => each !== null)
  return { text: stdout, manifests }
}

/** Returns what kubeconform finds in manifests. */
export function findInvalidManifests(text: string): string {
  const schemas = 'test/system/kubernetes/schemas/{{ .ResourceKind }}.json'
  const validated = spawnSync(join(folder, 'kubeconform'), ['-strict', '-schema-location', schemas], {
    input: text,
    encoding: 'utf8',
  })
  return validated.status === 0 ? '' : validated.stdout + validated.stderr
}

/** Returns what the linter of helm finds in the chart. */
export function lintChart(): string {
  const set = Object.entries(requiredValues).flatMap(([name, value]) => ['--set', `${name}=${value}`])
  const args = ['lint', '--strict', '--quiet', 'deploy/helm', '--kube-version', '1.27.0', ...set]
  const { status, stdout, stderr } = spawnSync(join(folder, 'helm'), args, { encoding: 'utf8' })
  return status === 0 ? '' : stdout + stderr
}
