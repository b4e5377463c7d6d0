import { resolve } from 'node:path'

import { defineConfig } from 'vite'

export default defineConfig(({ command }) => ({
  root: import.meta.dirname,
  base: '/dashboard/',
  build: {
    outDir: resolve(import.meta.dirname, '../dist/dashboard'),
    emptyOutDir: true,
    target: ['chrome125', 'firefox128', 'safari18'],
    // A policy that allows no inline script allows no polyfill of this kind either.
    modulePreload: { polyfill: false },
    // Everything is a file of its own origin; nothing is put into a data address.
    assetsInlineLimit: 0,
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  ...(command === 'serve' && process.env.LINK_SERVICE_TOKEN
    ? development(process.env.LINK_SERVICE_TOKEN)
    : {}),
}))

/** The pages from their sources, against a service that runs. In place of a session each call gets the token. */
function development(token) {
  const api = new URL(process.env.LINK_SERVICE_URL ?? 'http://localhost:3000/api')
  return {
    server: {
      host: '127.0.0.1',
      proxy: {
        '/dashboard/api': {
          target: api.origin,
          headers: { authorization: `Bearer ${token}` },
          rewrite: (path) => path.replace('/dashboard/api', api.pathname.replace(/\/+$/, '')),
        },
      },
    },
  }
}
