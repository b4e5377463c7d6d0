/** The ETags of returned objects, stored separately so that the objects stay unchanged. */
const versions = new WeakMap<object, string>()

export function rememberETag(result: unknown, etag: string | null): void {
  if (etag !== null && typeof result === 'object' && result !== null) versions.set(result, etag)
}

/** Returns the ETag of an object that a call returned, for `ifMatch`. Undefined for other objects. */
export function etagOf(result: object): string | undefined {
  return versions.get(result)
}
