/** Finds optional packages that are needed anyway. npm skips an optional package silently if its download fails. */

/** Optional only because the image of the service does without it. */
const neededByName = 'node_modules/vite'

// Otherwise the report looks up the names of network peers.
process.report.excludeNetwork = true
const libcOfNode = process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl'

/** Returns the paths of all needed packages, which include native binaries for this platform. */
export function neededPackages(locked) {
  const paths = new Set()
  const collect = (path) => {
    if (paths.has(path)) return
    paths.add(path)
    const { dependencies = {}, optionalDependencies = {} } = locked[path]
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const nested = `${path}/node_modules/${name}`
      const found = locked[nested] ? nested : `node_modules/${name}`
      if (locked[found] && (name in dependencies || isForThisPlatform(locked[found]))) collect(found)
    }
  }
  for (const [path, { optional, link }] of Object.entries(locked))
    if (path === neededByName || (path !== '' && !optional && !link)) collect(path)
  return paths
}

/** Returns true for a native binary. Other optional dependencies are not needed. */
function isForThisPlatform({ os = [], cpu = [], libc }) {
  return (
    os.includes(process.platform) &&
    cpu.includes(process.arch) &&
    (!libc || process.platform !== 'linux' || libc.includes(libcOfNode))
  )
}
