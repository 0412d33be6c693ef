import { Injectable } from '@nestjs/common';
import type { Fault } from '../../errors/errors';
import { TextChecks } from '../../http/requests/text-checks';
import type { EntryConfig, EntryList } from './entry-list';
import { TOKEN } from '../../http/requests/header-token';
import { isObject } from '../../http/requests/json-object';

/** The ways to run or reach a server that a configuration can select: package registries, and remote servers. */
export const RUN_WITH = ['npm', 'pypi', 'oci', 'nuget', 'remote'] as const;
export type RunWith = (typeof RUN_WITH)[number];

/** The fields of a configuration that the export of a bundle reads. All others are kept, and mean nothing here. */
export interface KnownConfig {
  /** Environment variables of a local server. */
  env: ReadonlyMap<string, string>;
  /** Headers of a remote server; names in lower case. */
  headers: ReadonlyMap<string, { name: string; value: string }>;
  /** Values for `{variables}` in addresses, arguments and values, and for arguments by their name. */
  variables: ReadonlyMap<string, string>;
  /** Appended to all other arguments. */
  args: readonly string[];
  runWith: RunWith | undefined;
}

const CHECK = 'bundle-entry-config';
const MAX_BYTES = 16_384;
/**
 * For all entries of a bundle: each version stores them, and one request that replaces them must be able to contain
 * them.
 */
const MAX_TOTAL_BYTES = 524_288;
/** POSIX.1-2024, section 8.1, and lower-case letters, which some programs use. */
const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_.-]*$/;
/** RFC 9110, section 5.5. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\uffff]*$/;

export const CONFIG_DESCRIPTION = `Settings for this listing in this bundle. No secrets: a value that its \`server.json\` marks as secret is rejected, and so are credential headers such as \`Authorization\`. The export reads \`env\` and \`headers\` (name → value, replacing those of \`server.json\`), \`variables\` (name → value, for \`{variables}\` in it and for its arguments), \`args\` (appended to all other arguments) and \`run_with\` (${RUN_WITH.map((way) => `\`${way}\``).join(', ')}: where there is a choice). Other fields are kept. At most ${MAX_BYTES / 1_024} KiB, and ${MAX_TOTAL_BYTES / 1_024} KiB in all entries of the bundle.`;

/** A configuration in a request. */
export const CONFIG_FIELD = {
  required: false,
  nullable: true,
  schema: { additionalProperties: true },
  check: CHECK,
  example: { env: { REGION: 'eu' } },
};

/** @returns the faults of a configuration, each with its place in it */
export function configFaults(config: EntryConfig): Fault[] {
  const faults: Fault[] = [];
  if (!isInRange(config)) faults.push(fault([], 'Contains a number that is out of range.'));
  if (Buffer.byteLength(JSON.stringify(config)) > MAX_BYTES) {
    faults.push(fault([], `Must have at most ${MAX_BYTES / 1_024} KiB.`));
  }
  const variableRule = { name: VARIABLE_NAME, nameMessage: 'Must be the name of an environment variable.' };
  const headerRule = { name: TOKEN, nameMessage: 'Must be the name of a header.', value: HEADER_VALUE };
  faults.push(...mapFaults(config, 'env', variableRule));
  faults.push(...mapFaults(config, 'headers', headerRule));
  faults.push(...mapFaults(config, 'variables', {}));
  const { args = [], run_with } = config;
  if (Array.isArray(args)) {
    for (const [index, arg] of (args as unknown[]).entries()) {
      if (typeof arg !== 'string') faults.push({ ...NOT_A_STRING, loc: ['args', String(index)] });
    }
  } else {
    faults.push({ loc: ['args'], msg: 'Must be a list.', type: 'list_type' });
  }
  if (run_with !== undefined && !RUN_WITH.some((way) => way === run_with)) {
    faults.push({ loc: ['run_with'], msg: `Must be one of ${RUN_WITH.join(', ')}.`, type: 'enum' });
  }
  return faults;
}

/**
 * A bundle that exceeds the limit, because it is older than the limit, may become smaller step by step.
 *
 * @returns the fault of the configurations of all entries together, with their `endpoint_url`s
 */
export function totalSizeFault(before: EntryList, after: EntryList): Fault | undefined {
  const size = sizeOf(after);
  if (size <= MAX_TOTAL_BYTES || size <= sizeOf(before)) return undefined;
  const most = `${MAX_TOTAL_BYTES / 1_024} KiB`;
  return fault(
    ['body'],
    `The configurations of all entries of the bundle, with every endpoint_url, would exceed ${most} in total.`,
  );
}

/** Empty configurations count nothing. */
function sizeOf(list: EntryList): number {
  return list.reduce(
    (sum, { config, endpoint_url }) =>
      sum + Buffer.byteLength(JSON.stringify(config)) - 2 + Buffer.byteLength(endpoint_url ?? ''),
    0,
  );
}

/**
 * Reads the known fields of a configuration. One that is older than the rules may contain anything: what is not valid
 * is left out.
 */
export function readConfig(config: EntryConfig): KnownConfig {
  const { args, run_with } = config;
  return {
    env: new Map(texts(config.env)),
    headers: new Map(texts(config.headers).map(([name, value]) => [name.toLowerCase(), { name, value }])),
    variables: new Map(texts(config.variables)),
    args: Array.isArray(args) ? (args as unknown[]).filter((arg) => typeof arg === 'string') : [],
    runWith: RUN_WITH.find((way) => way === run_with),
  };
}

/** Registers the rules for configurations that JSON Schema cannot express. */
@Injectable()
export class EntryConfigChecks {
  constructor(checks: TextChecks) {
    checks.registerObject(CHECK, configFaults);
  }
}

const NOT_A_STRING = { msg: 'Must be a string.', type: 'string_type' } as const;

function fault(loc: string[], msg: string): Fault {
  return { loc, msg, type: 'value_error' };
}

/** What the names and values of a map have to match. */
interface MapRule {
  name?: RegExp;
  nameMessage?: string;
  value?: RegExp;
}

function mapFaults(config: EntryConfig, field: string, { name, nameMessage = '', value: text }: MapRule): Fault[] {
  const map = config[field];
  if (map === undefined) return [];
  if (!isObject(map)) return [{ loc: [field], msg: 'Must be an object.', type: 'dict_type' }];
  return Object.entries(map).flatMap(([key, value]): Fault[] => {
    const loc = [field, key];
    if (name && !name.test(key)) return [fault(loc, nameMessage)];
    if (!isScalar(value)) return [{ ...NOT_A_STRING, loc }];
    return !text || text.test(String(value)) ? [] : [fault(loc, 'Must not contain control characters.')];
  });
}

/** People write numbers and booleans in JSON; environment variables and headers are strings. */
function texts(map: unknown): [string, string][] {
  if (!isObject(map)) return [];
  return Object.entries(map).flatMap(([name, value]) => (isScalar(value) ? [[name, String(value)]] : []));
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/** JSON text can contain numbers such as 1e999, which JavaScript cannot represent and would write as null. */
export function isInRange(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value !== 'object' || value === null || Object.values(value).every(isInRange);
}
