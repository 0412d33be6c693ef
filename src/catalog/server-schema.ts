import type { Fault } from '../http/errors';
import { versionFault } from './server-version';

/**
 * What a `server.json` must be: the demands of the official schema of 2025-12-11, in the dialect of the OpenAPI document
 * (JSON Schema 2020-12), so that a body with such a document is checked like any other. Where the official schema lists
 * alternatives, this one decides by `type`, so that a fault is told once and where it is; what they accept is the same.
 * Fields that are in no schema are kept: the official schema allows them too.
 */
type Schema = Record<string, unknown>;

/** The `x-check` by which a schema asks for what is said below and no schema can say. */
export const SERVER_CHECK = 'server-document';

const LONGEST_VERSION = 255;

/** Of `version`, besides the schema: it must be one (contract, section 10). */
export function serverFaults({ version }: Readonly<Record<string, unknown>>): Fault[] {
  // The schema says it of a longer one, and parsing a megabyte takes 50 ms.
  const isShort = typeof version === 'string' && version.length <= LONGEST_VERSION;
  const msg = isShort ? versionFault(version) : undefined;
  return msg === undefined ? [] : [{ loc: ['version'], msg, type: 'value_error' }];
}

const TEXT: Schema = { type: 'string' };
const FLAG: Schema = { type: 'boolean' };
const listOf = (items: Schema): Schema => ({ type: 'array', items });
const mapOf = (values: Schema): Schema => ({ type: 'object', additionalProperties: values });
const object = (properties: Record<string, Schema>, required: string[] = [], more: Schema = {}): Schema => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
  ...more,
});
const typeIs = (...types: string[]): Schema => ({ properties: { type: { enum: types } }, required: ['type'] });

const INPUT = {
  description: TEXT,
  format: { type: 'string', enum: ['string', 'number', 'boolean', 'filepath'] },
  isRequired: FLAG,
  isSecret: FLAG,
  default: TEXT,
  placeholder: TEXT,
  value: TEXT,
  choices: listOf(TEXT),
};

const INPUT_WITH_VARIABLES = { ...INPUT, variables: mapOf(object(INPUT)) };

const KEY_VALUE = object({ ...INPUT_WITH_VARIABLES, name: TEXT }, ['name']);

const ARGUMENT = object(
  { ...INPUT_WITH_VARIABLES, type: { type: 'string', enum: ['positional', 'named'] }, isRepeated: FLAG },
  ['type'],
  {
    allOf: [
      { if: typeIs('named'), then: object({ name: TEXT }, ['name']) },
      // One of the two is enough; the first is named when both are missing.
      {
        if: { ...typeIs('positional'), not: { required: ['value'] } },
        then: object({ valueHint: TEXT }, ['valueHint']),
      },
      { if: typeIs('positional'), then: object({ valueHint: TEXT }) },
    ],
  },
);

const REMOTE_FIELDS = object({ url: { type: 'string', pattern: '^https?://[^\\s]+$' }, headers: listOf(KEY_VALUE) }, [
  'url',
]);

const PACKAGE_TRANSPORT = object({ type: { type: 'string', enum: ['stdio', 'streamable-http', 'sse'] } }, ['type'], {
  if: typeIs('streamable-http', 'sse'),
  then: REMOTE_FIELDS,
});

const REMOTE = object(
  {
    type: { type: 'string', enum: ['streamable-http', 'sse'] },
    url: { type: 'string', pattern: '^https?://[^\\s]+$' },
    headers: listOf(KEY_VALUE),
    variables: mapOf(object(INPUT)),
  },
  ['type', 'url'],
);

const PACKAGE = object(
  {
    registryType: { ...TEXT, description: 'npm, pypi, oci, nuget, mcpb, …' },
    registryBaseUrl: { type: 'string', format: 'uri' },
    identifier: TEXT,
    version: { type: 'string', minLength: 1, not: { const: 'latest' } },
    fileSha256: { type: 'string', pattern: '^[a-f0-9]{64}$' },
    runtimeHint: TEXT,
    transport: PACKAGE_TRANSPORT,
    runtimeArguments: listOf(ARGUMENT),
    packageArguments: listOf(ARGUMENT),
    environmentVariables: listOf(KEY_VALUE),
  },
  ['registryType', 'identifier', 'transport'],
);

const ICON = object(
  {
    src: { type: 'string', format: 'uri', maxLength: 255 },
    mimeType: { type: 'string', enum: ['image/png', 'image/jpeg', 'image/jpg', 'image/svg+xml', 'image/webp'] },
    sizes: listOf({ type: 'string', pattern: '^(\\d+x\\d+|any)$' }),
    theme: { type: 'string', enum: ['light', 'dark'] },
  },
  ['src'],
);

/** The whole document. */
export const SERVER_SCHEMA = object(
  {
    $schema: { type: 'string', format: 'uri' },
    name: {
      type: 'string',
      minLength: 3,
      maxLength: 200,
      pattern: '^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$',
      description: 'Reverse-DNS, exactly one slash: `io.github.acme/weather`.',
    },
    title: { type: 'string', minLength: 1, maxLength: 100 },
    description: { type: 'string', minLength: 1, maxLength: 100 },
    version: { type: 'string', maxLength: LONGEST_VERSION, description: 'Semantic, as a rule; not a range.' },
    websiteUrl: { type: 'string', format: 'uri' },
    repository: object({ url: { type: 'string', format: 'uri' }, source: TEXT, id: TEXT, subfolder: TEXT }, [
      'url',
      'source',
    ]),
    icons: listOf(ICON),
    packages: listOf(PACKAGE),
    remotes: listOf(REMOTE),
    _meta: object({ 'io.modelcontextprotocol.registry/publisher-provided': { type: 'object' } }),
  },
  ['name', 'description', 'version'],
  {
    description: 'A `server.json` document, as its schema of 2025-12-11 has it.',
    example: {
      name: 'io.github.acme/weather',
      title: 'Weather',
      description: 'Forecasts and warnings for any place.',
      version: '1.4.0',
      remotes: [{ type: 'streamable-http', url: 'https://weather.example.com/mcp' }],
    },
  },
);
