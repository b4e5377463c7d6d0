/**
 * Returns the URL of a thread's program, given its path in `dist`. Threads load compiled files, even when a test runs
 * the code that starts them from source.
 */
export function workerProgram(path: string): URL {
  const isSource = import.meta.url.endsWith('.ts')
  return new URL(isSource ? `../../../dist/${path}` : `../../${path}`, import.meta.url)
}
