import tseslint from 'typescript-eslint'
import vue from 'eslint-plugin-vue'
import vueParser from 'vue-eslint-parser'
import prettier from 'eslint-config-prettier'
import globals from 'globals'

/**
 * Imports run one way: shared <- kernels/common <- kernels/methods <- kernels/variants <- engine <- main, cli <- bench, tests;
 * a regime knows its own folder and what lies below; preload and renderer import shared only; inside the renderer
 * api <- stores <- views, and plots and components <- views. Tests beside the code may use the reference and the
 * fixtures of tests/parity.
 * Each entry forbids what a folder must not reach.
 */
const direction = (files, forbidden, ignores = []) => ({
  files,
  ignores,
  rules: {
    'no-restricted-imports': [
      'error',
      {
        patterns: forbidden.map(([group, message]) => ({ group, message })),
      },
    ],
  },
})

const engine = [['@engine/*', '**/engine/*', '**/engine/**'], 'this folder lies below src/engine']
const kernels = [['@kernels/*', '**/kernels/**'], 'only src/engine may import kernels']
const methods = [['@kernels/methods/**', '**/methods/**'], 'kernels/common lies below kernels/methods']
const kernelVariants = [['@kernels/variants/**', '**/variants/**'], 'what variants share knows none of them']
const table = [['**/regimes.*', '**/fused.webgpu'], 'a regime does not know the table that chooses it']
const programs = [['**/main/**', '**/cli/**'], 'programs are imported by nobody']
const checks = [['@tests/**', '**/tests/**', '**/bench/**'], 'the product imports no test and no trial']
const testFiles = ['**/*.test.ts', '**/testing/**']
const window_ = [['**/renderer/**', '**/preload/**'], 'the window is imported by nobody']
const electron = [['electron', 'electron/*'], 'Electron belongs to src/main and src/preload']
const node = [['node:*'], 'this folder runs without Node']
const preloadApi = [['electron'], 'only src/renderer/src/api.ts touches the preload']

/** Nothing in the product reaches a network, or hands something to a program outside. */
const outwards = [
  'ImportDeclaration[source.value=/^(node:)?(http|https|http2|dgram|dns|tls)(\\u002F|$)/]',
  'ImportDeclaration[source.value="electron"] > ImportSpecifier[imported.name=/^(shell|net|autoUpdater)$/]',
].map((selector) => ({ selector, message: 'nothing in the product reaches a network or another program' }))
const outwardGlobals = [
  'fetch',
  'XMLHttpRequest',
  'WebSocket',
  'EventSource',
  'WebTransport',
  'RTCPeerConnection',
]

export default tseslint.config(
  { ignores: ['out/**', 'dist/**', '.native/**', '.runtime/**', 'node_modules/**', 'coverage/**'] },
  ...tseslint.configs.recommended,
  ...vue.configs['flat/recommended'],
  {
    files: ['**/*.vue'],
    languageOptions: {
      parser: vueParser,
      parserOptions: { parser: tseslint.parser },
      globals: globals.browser,
    },
  },
  { files: ['scripts/**/*.mjs', '*.js'], languageOptions: { globals: globals.node } },
  prettier,
  {
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'vue/multi-word-component-names': 'off',
      eqeqeq: 'error',
      'no-console': ['error', { allow: ['warn', 'error'] }],
    },
  },
  {
    files: ['src/**/*.{ts,vue}'],
    ignores: ['**/*.test.ts'],
    rules: {
      'no-restricted-syntax': ['error', ...outwards],
      'no-restricted-globals': ['error', ...outwardGlobals],
    },
  },
  {
    files: ['scripts/**', 'bench/**', 'tests/fuzz/**', 'tests/soak/**'],
    rules: { 'no-console': 'off' },
  },
  direction(['src/shared/**'], [engine, kernels, programs, window_, electron, node, checks]),
  ...[
    [['kernels/common/**'], [methods, kernelVariants]],
    [['kernels/methods/**'], [kernelVariants]],
    [['kernels/variants/**'], []],
    [['kernels/variants/*/regimes/**'], [table]],
  ].map(([files, above]) =>
    direction(files, [engine, programs, window_, electron, checks, ...above], ['**/*.test.ts']),
  ),
  direction(['src/engine/**'], [programs, window_, electron, checks], testFiles),
  direction(
    testFiles.map((file) => `src/engine/${file}`),
    [programs, window_, electron],
  ),
  direction(
    ['src/main/**'],
    [[['**/cli/**'], 'main does not import the command line'], window_, kernels, checks],
  ),
  direction(
    ['src/cli/**'],
    [[['**/main/**'], 'the command line does not import main'], window_, electron, kernels, checks],
  ),
  direction(['src/preload/**'], [engine, kernels, programs, checks]),
  direction(
    ['src/renderer/**'],
    [
      engine,
      kernels,
      [['**/main/**', '**/cli/**', '**/preload/**'], 'the renderer imports shared only'],
      preloadApi,
      node,
      checks,
    ],
  ),
  direction(
    ['src/renderer/src/api.ts'],
    [
      engine,
      kernels,
      programs,
      [
        ['**/stores/**', '**/views/**', '**/components/**', '**/plots/**'],
        'api is the ground floor of the renderer',
      ],
      node,
      checks,
    ],
  ),
  direction(
    ['src/renderer/src/stores/**'],
    [
      engine,
      kernels,
      programs,
      [['**/views/**', '**/components/**'], 'stores lie below views'],
      node,
      checks,
    ],
  ),
  direction(
    ['src/renderer/src/plots/**', 'src/renderer/src/components/**'],
    [
      engine,
      kernels,
      programs,
      [['**/views/**'], 'views import plots and components, not the reverse'],
      node,
      checks,
    ],
  ),
)
