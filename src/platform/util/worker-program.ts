/**
 * Finds the program of a thread by its path below `dist`. A thread can load only compiled files, even when a test runs
 * the code that starts it from source.
 */
export function workerProgram(path: string): URL {
  const isSource = import.meta.url.endsWith('.ts')
  return new URL(isSource ? `../../../dist/${path}` : `../../${path}`, import.meta.url)
}
