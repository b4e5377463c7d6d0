/** The manifests of the chart, which rendering.spec.ts compares with what helm renders. */
import { readFileSync } from 'node:fs'

import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { load } from 'js-yaml'

import { readSettings } from '../../../src/platform/config/env.js'
import { allSettings } from '../../../src/settings.js'
import type { Settings } from '../../../src/settings.js'
import {
  findManifest,
  getEnvironment,
  hashChart,
  hashFile,
  listPods,
  readManifests,
  valueSets,
} from '../../support/chart.js'

const secret = {
  DATABASE_URL: 'postgres://links:hunter2@db.internal/links',
  TOKEN_PEPPER: 'a pepper for kubernetes, long enough',
  ENCRYPTION_KEY: 'an encryption key for kubernetes, long enough',
}
const secretNames = Object.values(allSettings).flatMap(({ name, secret: hidden }) => (hidden ? [name] : []))

const ajv = new Ajv2020({ strict: false, formats: { int32: true, int64: true, 'date-time': true } })
const validators = new Map<string, ReturnType<Ajv2020['compile']>>()

/** Returns how a manifest differs from the schema of its kind. */
function findProblems(manifest: { kind: string }): object[] {
  const { kind } = manifest
  const file = `test/system/kubernetes/schemas/${kind.toLowerCase()}.json`
  // Regular expressions of Go can contain flags.
  const schema: object = JSON.parse(readFileSync(file, 'utf8').replaceAll('(?i)', ''))
  const validate = validators.get(kind) ?? ajv.compile(schema)
  validators.set(kind, validate)
  return validate(manifest) ? [] : (validate.errors ?? []).map((error) => ({ kind, ...error }))
}

describe('the Helm chart', () => {
  it('is the chart from which the manifests were rendered', () => {
    // Otherwise run: UPDATE_MANIFESTS=true npm run test:system -- test/system/kubernetes/rendering
    expect(readFileSync(hashFile, 'utf8').trim()).toBe(hashChart())
  })

  it.each(Object.keys(valueSets))('renders manifests that Kubernetes accepts: %s', (name) => {
    const manifests = readManifests(name)
    expect(manifests.flatMap(findProblems)).toEqual([])
    const names = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`)
    expect(new Set(names).size).toBe(names.length)
  })

  it('includes alerts that Prometheus accepts', () => {
    const spec = load(readFileSync('deploy/helm/files/rules.yml', 'utf8'))
    const rule = { apiVersion: 'monitoring.coreos.com/v1', kind: 'PrometheusRule', metadata: {}, spec }
    expect(findProblems(rule)).toEqual([])
  })

  it('reads all secrets from the Secret, and permits none in the values', () => {
    expect(secretNames).toContain('DATABASE_URL')
    const manifests = readManifests('everything')
    expect(manifests.filter(({ kind }) => kind === 'Secret')).toEqual([])
    for (const { pod } of listPods(manifests)) {
      const references = pod.containers[0].env.filter(({ valueFrom }: any) => valueFrom)
      expect(references.map(({ name }: any) => name).sort()).toEqual([...secretNames].sort())
      expect(references[0].valueFrom.secretKeyRef.name).toBe('link-service')
    }
    const schema = JSON.parse(readFileSync('deploy/helm/values.schema.json', 'utf8'))
    expect(schema.definitions.settings.propertyNames.not.enum).toEqual(expect.arrayContaining(secretNames))
  })

  /** Returns the settings of each component, which must be valid. */
  function readComponentSettings(name: string): Record<string, Settings> {
    return Object.fromEntries(
      listPods(readManifests(name)).map(({ component, pod }) => {
        const environment = getEnvironment(pod.containers[0], secret)
        for (const name of Object.keys(environment))
          expect(Object.values(allSettings).map((each) => each.name)).toContain(name)
        return [component, readSettings(environment)]
      }),
    )
  }

  it('gives every process valid settings', () => {
    const settings = readComponentSettings('everything')
    expect(Object.keys(settings).sort()).toEqual(['api', 'migration', 'worker'])
    expect(settings['api']).toMatchObject({
      host: '0.0.0.0',
      port: 3000,
      metricsPort: 9090,
      publicUrl: 'https://links.example',
      dashboard: 'off',
      rateLimit: null,
      workspaceTokens: 1_000_000,
      shutdownDelay: 8,
      databaseUrl: secret.DATABASE_URL,
    })
    expect(settings['worker']).toMatchObject({
      dashboard: 'on',
      workerInFlight: 10_000,
      webhookAllowHttp: true,
    })
  })

  it('accepts a shutdown delay of 0 seconds', () => {
    expect(readComponentSettings('minimal')['api']).toMatchObject({ shutdownDelay: 0 })
  })

  it.each(['kubernetes-values', 'kubernetes-network'])('accepts the values in the guide: %s', (name) => {
    const validate = new Ajv({ strict: false }).compile(
      JSON.parse(readFileSync('deploy/helm/values.schema.json', 'utf8')) as object,
    )
    const values = load(readFileSync(`docs/samples/${name}.yaml`, 'utf8'))
    expect(validate(values) ? [] : validate.errors).toEqual([])
  })

  it('confines every pod', () => {
    for (const { pod } of listPods(readManifests('defaults'))) {
      expect(pod).toMatchObject({
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        securityContext: {
          runAsNonRoot: true,
          runAsUser: 1000,
          fsGroup: 1000,
          seccompProfile: { type: 'RuntimeDefault' },
        },
      })
      const [container] = pod.containers
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        runAsNonRoot: true,
        capabilities: { drop: ['ALL'] },
      })
      expect(container.resources).toEqual({
        requests: { cpu: expect.any(String), memory: expect.any(String) },
        limits: { memory: expect.any(String) },
      })
      expect(container.volumeMounts).toContainEqual({ name: 'tmp', mountPath: '/tmp' })
    }
  })

  it('gives every API pod a volume that outlives the pod', () => {
    const { spec } = findManifest(readManifests('defaults'), 'StatefulSet', 'links-link-service-api')
    expect(spec.volumeClaimTemplates).toHaveLength(1)
    expect(spec.template.spec.containers[0].volumeMounts).toContainEqual({ name: 'data', mountPath: '/data' })
    expect(spec.persistentVolumeClaimRetentionPolicy).toEqual({ whenDeleted: 'Retain', whenScaled: 'Retain' })
  })

  it('leaves the number of workers to the autoscaler', () => {
    const name = 'links-link-service-worker'
    const replicas = (values: string) => findManifest(readManifests(values), 'Deployment', name).spec.replicas
    expect(replicas('defaults')).toBe(2)
    expect(replicas('hpa')).toBeUndefined()
    const manifests = readManifests('keda')
    expect(findManifest(manifests, 'Deployment', name).spec.replicas).toBeUndefined()
    const [trigger] = findManifest(manifests, 'ScaledObject', name).spec.triggers
    const metrics = readFileSync('docs/metrics.md', 'utf8')
    for (const [metric] of trigger.metadata.query.matchAll(/link_service_\w+/g))
      expect(metrics).toContain(`\`${metric}\``)
    expect(trigger.metadata.query).toContain('{namespace="prod"}')
  })

  it('migrates before the other pods change', () => {
    const { metadata } = findManifest(readManifests('defaults'), 'Job', 'links-link-service-migrate')
    expect(metadata.annotations).toMatchObject({ 'helm.sh/hook': 'pre-install,pre-upgrade' })
  })

  it('selects the right pods with each Service', () => {
    const manifests = readManifests('defaults')
    const pods = listPods(manifests).map(({ component, pod }) => ({
      component,
      ports: pod.containers[0].ports ?? [],
    }))
    const selected = (name: string) => {
      const { selector, ports } = findManifest(manifests, 'Service', name).spec
      const component = selector['app.kubernetes.io/component']
      return pods
        .filter((pod) => component === undefined || pod.component === component)
        .filter((pod) => pod.ports.some((port: any) => port.name === ports[0].targetPort))
        .map((pod) => pod.component)
    }
    expect(selected('links-link-service')).toEqual(['api'])
    expect(selected('links-link-service-pods').sort()).toEqual(['api', 'worker'])
  })

  it('lets workers reach only public addresses, the database, Redis and DNS', () => {
    const { spec } = findManifest(readManifests('defaults'), 'NetworkPolicy', 'links-link-service-worker')
    const withoutPorts = spec.egress.filter(({ ports }: any) => !ports)
    expect(withoutPorts).toHaveLength(1)
    expect(withoutPorts[0].to[0].ipBlock.except).toEqual(
      expect.arrayContaining(['10.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16']),
    )
    const ports = spec.egress.flatMap((rule: any) => rule.ports?.map(({ port }: any) => port) ?? [])
    expect(ports).toEqual([53, 53, 5432, 6379])
  })

  it('lets workers reach the targets in extraEgress', () => {
    const { spec } = findManifest(readManifests('everything'), 'NetworkPolicy', 'links-link-service-worker')
    expect(spec.egress.at(-1)).toEqual({
      to: [{ ipBlock: { cidr: '10.2.0.7/32' } }],
      ports: [{ port: 3128, protocol: 'TCP' }],
    })
  })

  it('has the version of the service', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
    const chart = load(readFileSync('deploy/helm/Chart.yaml', 'utf8')) as Record<string, string>
    expect(chart).toMatchObject({ version, appVersion: version })
  })
})
