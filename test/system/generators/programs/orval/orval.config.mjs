export default {
  linkService: {
    input: 'openapi.json',
    output: {
      target: 'client.ts',
      client: 'fetch',
      override: {
        mutator: { path: 'fetcher.ts', name: 'fetcher' },
        // Functions return the body, and the fetcher throws errors.
        fetch: { includeHttpResponseReturnType: false },
      },
    },
  },
}
