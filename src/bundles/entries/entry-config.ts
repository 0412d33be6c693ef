import { Injectable } from '@nestjs/common';
import type { Fault } from '../../errors/errors';
import { TextChecks } from '../../http/requests/text-checks';
import type { EntryConfig, EntryList } from './entry-list';

/** The ways to run a server among which a configuration may choose: package registries, and remote servers. */
export const RUN_WITH = ['npm', 'pypi', 'oci', 'nuget', 'remote'] as const;
export type RunWith = (typeof RUN_WITH)[number];

/** What the export of a bundle reads of an entry's configuration. All else in it is kept and means nothing to us. */
export interface KnownConfig {
  /** Environment variables of a local server. */
  env: ReadonlyMap<string, string>;
  /** Headers of a remote server; names in lower case. */
  headers: ReadonlyMap<string, { name: string; value: string }>;
  /** Values for `{variables}` in addresses, arguments and values, and for arguments by their name. */
  variables: ReadonlyMap<string, string>;
  /** Arguments behind all others. */
  args: readonly string[];
  runWith: RunWith | undefined;
}

const CHECK = 'bundle-entry-config';
const MOST_BYTES = 16_384;
/** Of all entries of a bundle: each version keeps them, and they must fit into one request that replaces them. */
const MOST_BYTES_IN_ALL = 524_288;
/** POSIX.1-2024, section 8.1, but for lower-case letters, which programs do use. */
const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_.-]*$/;
/** RFC 9110, sections 5.6.2 and 5.5. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\uffff]*$/;

export const CONFIG_TEXT = `Settings for this listing in this bundle. No secrets: a value that its \`server.json\` marks as secret is rejected, and so are credential headers such as \`Authorization\`. The export reads \`env\` and \`headers\` (name → value, replacing those of \`server.json\`), \`variables\` (name → value, for \`{variables}\` in it and for its arguments), \`args\` (appended to all other arguments) and \`run_with\` (${RUN_WITH.map((way) => `\`${way}\``).join(', ')}: where there is a choice). Other fields are kept. At most ${MOST_BYTES / 1_024} KiB, and ${MOST_BYTES_IN_ALL / 1_024} KiB in all entries of the bundle.`;

/** A configuration in a request. */
export const CONFIG = {
  required: false,
  nullable: true,
  schema: { additionalProperties: true },
  check: CHECK,
  example: { env: { REGION: 'eu' } },
};

/** @returns what is wrong with a configuration, each fault below it */
export function configFaults(config: EntryConfig): Fault[] {
  const faults: Fault[] = [];
  if (!isInRange(config)) faults.push(fault([], 'Contains a number that is out of range.'));
  if (Buffer.byteLength(JSON.stringify(config)) > MOST_BYTES) {
    faults.push(fault([], `Must have at most ${MOST_BYTES / 1_024} KiB.`));
  }
  faults.push(...mapFaults(config, 'env', VARIABLE_NAME, 'Must be the name of an environment variable.'));
  faults.push(...mapFaults(config, 'headers', HEADER_NAME, 'Must be the name of a header.', HEADER_VALUE));
  faults.push(...mapFaults(config, 'variables'));
  const { args = [], run_with } = config;
  if (Array.isArray(args)) {
    for (const [index, arg] of (args as unknown[]).entries()) {
      if (typeof arg !== 'string') faults.push({ ...NO_TEXT, loc: ['args', String(index)] });
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
 * A bundle that has more from before there was a bound may become smaller step by step.
 *
 * @returns what is wrong with the configurations of all entries taken together
 */
export function configsFault(before: EntryList, after: EntryList): Fault | undefined {
  const size = sizeOf(after);
  if (size <= MOST_BYTES_IN_ALL || size <= sizeOf(before)) return undefined;
  const most = `${MOST_BYTES_IN_ALL / 1_024} KiB`;
  return fault(['body'], `The configurations of all entries of the bundle would exceed ${most} in total.`);
}

/** Empty ones take no room. */
function sizeOf(list: EntryList): number {
  return list.reduce((sum, { config }) => sum + Buffer.byteLength(JSON.stringify(config)) - 2, 0);
}

/**
 * Reads what is known of a configuration; one that was stored before there were rules may have anything in it, and
 * what is not as it should be is left out.
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

/** Registers what the document cannot say of a configuration by itself. */
@Injectable()
export class EntryConfigChecks {
  constructor(checks: TextChecks) {
    checks.registerObject(CHECK, configFaults);
  }
}

const NO_TEXT = { msg: 'Must be a string.', type: 'string_type' } as const;

function fault(loc: string[], msg: string): Fault {
  return { loc, msg, type: 'value_error' };
}

function mapFaults(config: EntryConfig, field: string, name = /^/, msg = '', text = /^/): Fault[] {
  const map = config[field];
  if (map === undefined) return [];
  if (!isObject(map)) return [{ loc: [field], msg: 'Must be an object.', type: 'dict_type' }];
  return Object.entries(map).flatMap(([key, value]): Fault[] => {
    const loc = [field, key];
    if (!name.test(key)) return [fault(loc, msg)];
    if (!isScalar(value)) return [{ ...NO_TEXT, loc }];
    return text.test(String(value)) ? [] : [fault(loc, 'Must not contain control characters.')];
  });
}

/** Numbers and booleans are what a person writes in JSON; a process and a header have texts. */
function texts(map: unknown): [string, string][] {
  if (!isObject(map)) return [];
  return Object.entries(map).flatMap(([name, value]) => (isScalar(value) ? [[name, String(value)]] : []));
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** JSON text may have numbers, such as 1e999, for which there is no room here and which would silently become null. */
function isInRange(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value !== 'object' || value === null || Object.values(value).every(isInRange);
}
