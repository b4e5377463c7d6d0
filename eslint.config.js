import eslint from '@eslint/js'
import { defineConfig, globalIgnores } from 'eslint/config'
import tseslint from 'typescript-eslint'

/**
 * Which folder may use which. A folder may always use itself; what is not listed here is refused.
 * `auth`'s decorators (access.ts, caller.ts) are the exception that every feature with a controller needs.
 */
const arrows = {
  config: [],
  database: ['config'],
  http: ['config', 'database'],
  workspaces: ['config', 'database', 'http'],
  audit: ['config', 'database', 'http'],
  auth: ['config', 'database', 'http', 'workspaces', 'audit'],
  events: ['config', 'database', 'http'],
  links: ['config', 'database', 'http', 'workspaces', 'events'],
  clicks: ['config', 'database', 'http', 'links', 'events'],
  queue: ['config', 'database'],
  webhooks: ['config', 'database', 'http', 'workspaces', 'audit', 'events'],
  deliveries: ['config', 'database', 'http', 'queue', 'audit', 'events', 'webhooks'],
  listen: ['config', 'http', 'events', 'webhooks', 'deliveries'],
  doctor: ['config', 'database', 'clicks', 'queue', 'webhooks', 'deliveries'],
  health: ['config', 'database', 'http', 'links', 'clicks', 'queue', 'deliveries'],
}
const decorators = ['access', 'caller']

/** `depth` is how far below `src` the files are: what is at the top is that many steps up. */
function arrowRule(folder, allowed, depth) {
  const forbidden = Object.keys(arrows).filter((other) => other !== folder && !allowed.includes(other))
  return {
    files: [`src/${[folder, ...Array(depth - 1).fill('*')].join('/')}/*.ts`],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: `^(\\.\\./)+(${forbidden.join('|')})/(?!(${decorators.join('|')})\\.js$)`,
              message: `${folder} may use ${allowed.join(', ') || 'no other folder'} (see the arrows in eslint.config.js).`,
            },
            {
              regex: `^(\\.\\./){${depth}}[^/]+$`,
              message: 'The files at the top put the folders together; no folder uses them.',
            },
          ],
        },
      ],
    },
  }
}

export default defineConfig(
  globalIgnores(['dist', 'coverage', 'data']),
  eslint.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      // Nest finds modules by their class, also where the class is empty.
      '@typescript-eslint/no-extraneous-class': [
        'error',
        { allowWithDecorator: true, allowStaticOnly: true },
      ],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': 'off',
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/use-unknown-in-catch-callback-variable': 'off',
      '@typescript-eslint/prefer-nullish-coalescing': ['error', { ignorePrimitives: { string: true } }],
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  {
    files: ['test/**/*.ts', '**/*.spec.ts'],
    rules: {
      // Answers are read as JSON of any shape; the assertions are what checks them.
      '@typescript-eslint/no-explicit-any': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
    },
  },
  {
    files: ['**/*.js'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
        Buffer: 'readonly',
        performance: 'readonly',
        setImmediate: 'readonly',
        fetch: 'readonly',
      },
    },
  },
  ...Object.entries(arrows).flatMap(([folder, allowed]) =>
    [1, 2].map((depth) => arrowRule(folder, allowed, depth)),
  ),
)
