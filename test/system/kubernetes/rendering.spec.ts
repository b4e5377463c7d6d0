/** The chart renders the kept manifests, and rejects wrong values. UPDATE_MANIFESTS=true writes the manifests. */
import { readFileSync, writeFileSync } from 'node:fs'

import { load } from 'js-yaml'

import { hashChart, hashFile, listPods, manifestsFile, valueSets } from '../../support/chart.js'
import type { Values } from '../../support/chart.js'
import { describeWithHelm, findInvalidManifests, lintChart, renderChart } from '../../support/helm.js'

const { version } = JSON.parse(readFileSync('package.json', 'utf8'))

describeWithHelm('the Helm chart', () => {
  it('has no problems', () => {
    expect(lintChart()).toBe('')
  })

  it.each(Object.entries(valueSets))('renders valid manifests that are kept: %s', (name, values) => {
    const { text } = renderChart(values)
    expect(findInvalidManifests(text)).toBe('')
    // A release changes the version, but not the kept manifests.
    const kept = text.replaceAll(new RegExp(String.raw`(?<![\d.])${version}(?![\d.])`, 'g'), '0.0.0')
    if (process.env['UPDATE_MANIFESTS'] === 'true') {
      writeFileSync(manifestsFile(name), kept)
      writeFileSync(hashFile, `${hashChart()}\n`)
    }
    expect(kept).toBe(readFileSync(manifestsFile(name), 'utf8'))
  })

  it.each(['kubernetes-values', 'kubernetes-network'])('renders the values in the guide: %s', (name) => {
    const values = load(readFileSync(`docs/samples/${name}.yaml`, 'utf8')) as Values
    expect(findInvalidManifests(renderChart(values).text)).toBe('')
  })

  it.each<[string, string, Values]>([
    ['a database URL among the settings', 'DATABASE_URL', { settings: { DATABASE_URL: 'postgres://db' } }],
    [
      'a secret among the settings of workers',
      'TOKEN_PEPPER',
      { worker: { settings: { TOKEN_PEPPER: 'secret' } } },
    ],
    ['a port among the settings of the API', 'PORT', { api: { settings: { PORT: '80' } } }],
    ['an unknown value', 'replica', { api: { replica: 1 } }],
    ['an unknown kind of scaling', 'kind', { worker: { autoscaling: { kind: 'vpa' } } }],
    ['KEDA without Prometheus', 'prometheusUrl is required', { worker: { autoscaling: { kind: 'keda' } } }],
    [
      'a grace period shorter than the shutdown delay',
      'at least api.shutdownDelaySeconds',
      { api: { shutdownDelaySeconds: 60 } },
    ],
    ['a missing secret', 'existingSecret is required', { existingSecret: '' }],
    ['a missing public URL', 'publicUrl is required', { publicUrl: '' }],
    ['a public URL with a path', 'publicUrl', { publicUrl: 'https://links.example/path' }],
  ])('rejects %s', (_, message, values) => {
    expect(() => renderChart(values)).toThrow(message)
  })

  it('contains the alerts with the URL of the installation', () => {
    const { text, manifests } = renderChart({
      prometheusRule: { enabled: true, labels: { release: 'prometheus' } },
      publicUrl: 'https://go.example',
    })
    expect(findInvalidManifests(text)).toBe('')
    const rules = readFileSync('deploy/prometheus/rules.yml', 'utf8')
    const rule = manifests.find(({ kind }) => kind === 'PrometheusRule')
    expect(rule?.spec).toEqual(load(rules.replaceAll('https://links.example', 'https://go.example')))
  })

  it('runs the image of its version', () => {
    expect(listPods(renderChart().manifests)[0]!.pod.containers[0].image).toBe(`link-service:${version}`)
  })
})
