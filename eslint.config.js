import eslint from '@eslint/js'
import { defineConfig, globalIgnores } from 'eslint/config'
import tseslint from 'typescript-eslint'

/**
 * The folders that each folder may import from, besides itself and `platform`. All of them may also import the tables in
 * `src`, the fields of a link, and the files of `auth` that controllers need: access.ts, caller.ts, portal-access.ts and
 * scopes.ts.
 */
const arrows = {
  platform: [],
  migrations: [],
  workspaces: [],
  audit: [],
  auth: ['workspaces', 'audit', 'events'],
  events: [],
  links: ['workspaces', 'audit', 'events'],
  clicks: ['workspaces', 'auth', 'links', 'events'],
  analytics: ['clicks', 'links'],
  webhooks: ['workspaces', 'audit', 'events'],
  deliveries: ['workspaces', 'audit', 'events', 'webhooks'],
  dispatch: ['audit', 'events', 'webhooks', 'deliveries'],
  notices: ['workspaces', 'audit', 'events', 'webhooks'],
  sessions: ['audit', 'auth', 'webhooks'],
  tools: [
    'migrations',
    'audit',
    'links',
    'events',
    'clicks',
    'analytics',
    'webhooks',
    'deliveries',
    'dispatch',
    'notices',
  ],
}
/** The same inside `platform`, from the bottom up. */
const platformArrows = {
  util: [],
  config: ['util'],
  database: ['util', 'config'],
  http: ['util', 'config', 'database'],
  queue: ['util', 'config', 'database'],
  outbound: ['util', 'config'],
  'command-line': ['util', 'config'],
}
const declarations = '(?:auth/(?:access|caller|portal-access|scopes)|links/link(?:-fields)?\\.dto)\\.js$'
const tables = '(?:settings|problems|request-problems|field-errors)\\.js$'

/** Forbids imports of other folders, at any depth. `above` is the number of steps from the folder `place` up to `src`. */
function arrowRule(place, above, forbidden, allowed) {
  const depths = [0, 1, 2, 3, 4, 5].map((depth) => {
    const files = [`src/${place}${'/*'.repeat(depth)}/*.ts`]
    const up = `^(?:\\.\\./){${above + depth}}`
    return {
      files,
      rules: {
        'no-restricted-imports': [
          'error',
          {
            patterns: forbidden(up).map((regex) => ({
              regex,
              message: `${place} may import from ${allowed.join(', ') || 'no other folder'} (see the arrows in eslint.config.js).`,
            })),
          },
        ],
      },
    }
  })
  return depths
}

const everyFolder = [...Object.keys(arrows), 'app']

function featureRules([folder, uses]) {
  const allowed = [folder, ...uses, ...(folder === 'platform' ? [] : ['platform'])]
  const others = everyFolder.filter((other) => !allowed.includes(other)).join('|')
  return arrowRule(
    folder,
    1,
    (up) => [
      `${up}(?!${folder === 'platform' ? '$.' : declarations})(?:${others})/`,
      `${up}(?!${tables})[^/]+$`,
    ],
    uses,
  )
}

function platformRules([folder, uses]) {
  const others = Object.keys(platformArrows)
    .filter((other) => other !== folder && !uses.includes(other))
    .join('|')
  return arrowRule(
    `platform/${folder}`,
    1,
    (up) => [
      `${up}(?:${others})/`,
      `${up.replace(/\{(\d+)\}/, (_, n) => `{${Number(n) + 1}}`)}(?!(?:${uses.join('|') || '$.'})/|${tables})[^.]`,
    ],
    uses,
  )
}

export default defineConfig(
  globalIgnores([
    '**/dist',
    'docs/.vitepress/cache',
    '**/generated',
    '.dev',
    'coverage',
    'data',
    // These programs use clients that the spec generates.
    'test/system/generators/programs/**',
  ]),
  eslint.configs.recommended,
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      // Features add their members to interfaces that platform declares.
      '@typescript-eslint/no-empty-object-type': ['error', { allowInterfaces: 'always' }],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      // Nest identifies modules by their class, even if it is empty.
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
    files: ['src/**'],
    rules: {
      'no-restricted-globals': [
        'error',
        {
          name: 'setInterval',
          message: 'Use runPeriodically() of platform/util/timers.ts: one run at a time.',
        },
      ],
      'no-restricted-syntax': [
        'error',
        {
          selector:
            'ClassDeclaration[decorators.length>0] MethodDefinition[kind="constructor"] > FunctionExpression[params.length>6]',
          message: 'Inject at most six dependencies: split the class.',
        },
      ],
    },
  },
  {
    files: ['test/**/*.ts', '**/*.spec.ts'],
    rules: {
      // Responses are parsed as JSON of any shape. Assertions check them.
      '@typescript-eslint/no-explicit-any': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
    },
  },
  {
    files: ['**/*.{js,mjs}'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        setInterval: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
        Buffer: 'readonly',
        performance: 'readonly',
        setImmediate: 'readonly',
        fetch: 'readonly',
        AbortSignal: 'readonly',
        Request: 'readonly',
        Response: 'readonly',
      },
    },
  },
  {
    // The dashboard uses the service only through its client.
    files: ['dashboard/src/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            { regex: '/(?:src|clients|test)/', message: 'Import from @link-service/client instead.' },
          ],
        },
      ],
    },
  },
  ...Object.entries(arrows).flatMap(featureRules),
  // After the rules of the features, which they override for these files.
  ...Object.entries(platformArrows).flatMap(platformRules),
)
