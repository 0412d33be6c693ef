import type { Fault } from '../../errors/errors';
import { SCHEMA_NAME_EXTENSION } from '../../http/openapi/openapi-schemas';
import { addressFaults } from './document-addresses';
import { versionFault } from './server-version';

/**
 * The schema of a `server.json`: the rules of the official schema of 2025-12-11 in the dialect of the OpenAPI document
 * (JSON Schema 2020-12), so that a body with such a document is validated like any other. Where the official schema
 * lists alternatives, this one branches on `type`, so that an error is reported once and at the right place; both
 * accept the same documents. Unknown fields are kept, as the official schema allows them.
 */
type Schema = Record<string, unknown>;

/** The `x-check` that refers a schema to the checks below, which JSON Schema cannot express. */
export const SERVER_CHECK = 'server-document';

const MAX_VERSION_LENGTH = 255;

/**
 * Checks beyond the schema: `version` is a single version (contract, section 10), and numbers can be stored. A number
 * such as `1e400` is parsed as infinity and would be returned as null.
 */
export function serverFaults(document: Readonly<Record<string, unknown>>): Fault[] {
  const { version } = document;
  // The schema reports longer versions, and parsing a megabyte takes 50 ms.
  const isShort = typeof version === 'string' && version.length <= MAX_VERSION_LENGTH;
  const msg = isShort ? versionFault(version) : undefined;
  const faults: Fault[] = msg === undefined ? [] : [{ loc: ['version'], msg, type: 'value_error' }];
  findInfinite(document, [], faults);
  return faults;
}

function findInfinite(value: unknown, loc: string[], faults: Fault[]): void {
  if (value === Infinity || value === -Infinity) {
    faults.push({ loc, msg: 'The number is too large to be stored.', type: 'value_error' });
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [key, child] of Object.entries(value)) {
    if (typeof child === 'object' || typeof child === 'number') findInfinite(child, [...loc, key], faults);
  }
}

/**
 * Maximum size in bytes of UTF-8 JSON (contract, section 12.4). The largest of 2,628 real documents has 58,399 bytes.
 */
export const MAX_SERVER_BYTES = 128 * 1_024;

/** @returns the size in bytes of a document as stored and sent */
export function serverBytes(document: unknown): number {
  return Buffer.byteLength(JSON.stringify(document));
}

/** The error message for a document that is too large. */
export function sizeText(bytes: number): string {
  const [max, actual] = [MAX_SERVER_BYTES, bytes].map((number) => number.toLocaleString('en'));
  return `Must have at most ${max} bytes of JSON (128 KiB); it has ${actual}.`;
}

/** All checks beyond the schema for a new document, which a person can correct. */
export function documentFaults(document: Readonly<Record<string, unknown>>): Fault[] {
  const bytes = serverBytes(document);
  const faults = [...serverFaults(document), ...addressFaults(document)];
  return bytes > MAX_SERVER_BYTES ? [...faults, { loc: [], msg: sizeText(bytes), type: 'value_error' }] : faults;
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

/** A schema that appears in the OpenAPI document under its own name. */
const named = (name: string, schema: Schema): Schema => ({ [SCHEMA_NAME_EXTENSION]: name, ...schema });
const typeIs = (...types: string[]): Schema => ({ properties: { type: { enum: types } }, required: ['type'] });

const INPUT = {
  description: TEXT,
  format: named('ServerInputFormat', { type: 'string', enum: ['string', 'number', 'boolean', 'filepath'] }),
  isRequired: FLAG,
  isSecret: FLAG,
  default: TEXT,
  placeholder: TEXT,
  value: TEXT,
  choices: listOf(TEXT),
};

const VARIABLES = mapOf(named('ServerInput', object(INPUT)));
const INPUT_WITH_VARIABLES = { ...INPUT, variables: VARIABLES };

const KEY_VALUE = named('ServerKeyValueInput', object({ ...INPUT_WITH_VARIABLES, name: TEXT }, ['name']));

const ARGUMENT = named(
  'ServerArgument',
  object(
    { ...INPUT_WITH_VARIABLES, type: { type: 'string', enum: ['positional', 'named'] }, isRepeated: FLAG },
    ['type'],
    {
      allOf: [
        { if: typeIs('named'), then: object({ name: TEXT }, ['name']) },
        // Either is enough; `valueHint` is reported if both are missing.
        {
          if: { ...typeIs('positional'), not: { required: ['value'] } },
          then: object({ valueHint: TEXT }, ['valueHint']),
        },
        { if: typeIs('positional'), then: object({ valueHint: TEXT }) },
      ],
    },
  ),
);

const REMOTE_FIELDS = object({ url: { type: 'string', pattern: '^https?://[^\\s]+$' }, headers: listOf(KEY_VALUE) }, [
  'url',
]);

const PACKAGE_TRANSPORT = named(
  'ServerPackageTransport',
  object({ type: { type: 'string', enum: ['stdio', 'streamable-http', 'sse'] } }, ['type'], {
    if: typeIs('streamable-http', 'sse'),
    then: REMOTE_FIELDS,
  }),
);

const REMOTE = named(
  'ServerRemote',
  object(
    {
      type: { type: 'string', enum: ['streamable-http', 'sse'] },
      url: { type: 'string', pattern: '^https?://[^\\s]+$' },
      headers: listOf(KEY_VALUE),
      variables: VARIABLES,
    },
    ['type', 'url'],
  ),
);

const PACKAGE = named(
  'ServerPackage',
  object(
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
  ),
);

const ICON = named(
  'ServerIcon',
  object(
    {
      src: { type: 'string', format: 'uri', maxLength: 255 },
      mimeType: { type: 'string', enum: ['image/png', 'image/jpeg', 'image/jpg', 'image/svg+xml', 'image/webp'] },
      sizes: listOf({ type: 'string', pattern: '^(\\d+x\\d+|any)$' }),
      theme: { type: 'string', enum: ['light', 'dark'] },
    },
    ['src'],
  ),
);

/** The whole document. */
export const SERVER_SCHEMA = named(
  'ServerDocument',
  object(
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
      version: {
        type: 'string',
        maxLength: MAX_VERSION_LENGTH,
        description: 'Usually a semantic version; not a range.',
      },
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
      description: 'A `server.json` document (schema of 2025-12-11).',
      example: {
        name: 'io.github.acme/weather',
        title: 'Weather',
        description: 'Forecasts and warnings for any place.',
        version: '1.4.0',
        remotes: [{ type: 'streamable-http', url: 'https://weather.example.com/mcp' }],
      },
    },
  ),
);
