/** The entity tags of returned objects, stored separately so that the objects stay unchanged. */
const versions = new WeakMap<object, string>()

export function rememberETag(result: unknown, etag: string | null): void {
  if (etag !== null && typeof result === 'object' && result !== null) versions.set(result, etag)
}

/** Returns the entity tag of an object that a call returned, for `ifMatch`. Throws for objects in lists, and for copies. */
export function etagOf(result: object): string {
  const etag = versions.get(result)
  // Without this error, an update with `ifMatch` would silently be unconditional.
  if (etag === undefined)
    throw new TypeError('This object has no entity tag. Get it first: objects in lists have none.')
  return etag
}
