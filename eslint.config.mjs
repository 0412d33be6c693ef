import eslint from '@eslint/js';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

/** Rules of docs/architecture that a linter can see. */
const environmentOnlyInConfig = {
  selector: "MemberExpression[object.name='process'][property.name='env']",
  message: 'The environment is read in config/ only; inject Environment.',
};
const noHttpExceptions = {
  selector:
    'NewExpression[callee.name=/(Http|BadRequest|Unauthorized|Forbidden|NotFound|Conflict|UnprocessableEntity|InternalServerError|ServiceUnavailable)Exception$/]',
  message: 'Errors know no HTTP outside http/: throw a DomainError.',
};
/** Its result has another shape for each verb, and nothing finds its statements. */
const statementsOnly = {
  // Under whatever name a manager goes; `client` is node-postgres itself, `rules` those of a request.
  selector: "CallExpression[callee.property.name='query']:not([callee.object.name=/^(client|rules)$/])",
  message: 'Run SQL by many, maybe, one or execute of database/statements.ts; one row by its key by a Repository.',
};

const parseUrlOnly = { object: 'URL', property: 'canParse', message: 'See config/parse-url.ts.' };
/** Suites share a process. */
const realTimers = { object: 'jest', property: 'useFakeTimers', message: 'Call the suite *.timers.spec.ts (ADR 62).' };

/** Text of others must not become markup, and the policy of the page refuses it. */
const noMarkup = {
  selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']",
  message: 'Show text as text; Markdown by ui/markdown.tsx.',
};
const noText = {
  selector: 'JSXText[value=/[A-Za-z]{2}/]',
  message: 'All text is in messages/en/, so that it can be translated.',
};
const callOnly = { name: 'fetch', message: 'Call the API by api/client.ts, whose types are those of openapi.json.' };

export default tseslint.config(
  {
    ignores: [
      'dist/',
      'node_modules/',
      'coverage/',
      '**/*.mjs',
      '**/*.cjs',
      '**/*.browser.js',
      'console/vite.config.ts',
    ],
  },
  eslint.configs.recommended,
  tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      // `interface EventTypes extends …`, by which a noun adds its events to those of all.
      '@typescript-eslint/no-empty-object-type': ['error', { allowInterfaces: 'with-single-extends' }],
      'no-restricted-syntax': ['error', environmentOnlyInConfig, noHttpExceptions, statementsOnly],
      'no-restricted-properties': ['error', parseUrlOnly, realTimers],
      'no-restricted-imports': [
        'error',
        {
          paths: [
            {
              name: '@nestjs/common',
              importNames: ['UseInterceptors', 'NestInterceptor'],
              message: 'Nest would pass every answer of the route through RxJS; use ShapesAnswer (ADR 60).',
            },
          ],
        },
      ],
      'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
    },
  },
  // The process itself, and the guard that turns exceptions into answers.
  {
    files: ['src/main.ts', 'src/commands/*.ts'],
    rules: { 'no-restricted-syntax': ['error', noHttpExceptions, statementsOnly] },
  },
  {
    files: ['src/app.ts', 'src/http/**'],
    rules: { 'no-restricted-syntax': ['error', environmentOnlyInConfig, statementsOnly] },
  },
  {
    files: ['src/database/**', 'migrations/**'],
    rules: { 'no-restricted-syntax': ['error', environmentOnlyInConfig, noHttpExceptions] },
  },
  {
    files: ['console/**'],
    plugins: { 'react-hooks': reactHooks },
    rules: {
      ...reactHooks.configs.recommended.rules,
      'no-restricted-syntax': ['error', noMarkup, noText],
      'no-restricted-globals': ['error', callOnly],
      'no-restricted-properties': 'off',
    },
  },
  {
    files: ['console/src/api/client.ts', 'console/src/screens/shell/banners.tsx', 'console/**/*.spec.ts'],
    rules: { 'no-restricted-globals': 'off' },
  },
  { files: ['**/*.timers.spec.ts'], rules: { 'no-restricted-properties': ['error', parseUrlOnly] } },
  { files: ['test/**', 'bench/**', '**/*spec.ts'], rules: { 'no-restricted-syntax': 'off' } },
);
