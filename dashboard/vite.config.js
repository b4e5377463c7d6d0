import { resolve } from 'node:path'

import { defineConfig } from 'vite'

export default defineConfig(({ command }) => ({
  root: import.meta.dirname,
  base: '/dashboard/',
  build: {
    outDir: resolve(import.meta.dirname, '../dist/dashboard'),
    emptyOutDir: true,
    target: ['chrome125', 'firefox128', 'safari18'],
    // The content security policy forbids inline scripts, which this polyfill is.
    modulePreload: { polyfill: false },
    // Serve every asset as a file, because the content security policy restricts data: URLs.
    assetsInlineLimit: 0,
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  ...(command === 'serve' && process.env.LINK_SERVICE_TOKEN
    ? developmentServer(process.env.LINK_SERVICE_TOKEN)
    : {}),
}))

/** Serves the pages from source against a running service. Each call sends the token instead of a session cookie. */
function developmentServer(token) {
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
