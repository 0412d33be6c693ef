import type { Type } from '@nestjs/common';
import type { Fault } from '../../errors/errors';
import { ClassRules, type FieldRules, Findings } from './class-rules';
import { isObject } from './json-object';
import { foldedName, misspelt } from './query-string';
import type { TextChecks } from './text-checks';
import { findTextFaults } from './text-faults';

/** Limit of integers in path and query: 15 digits, which a number represents exactly. The document states it. */
export const MAX_INTEGER = 999_999_999_999_999;

const REQUIRED: Omit<Fault, 'loc'> = { msg: 'This parameter is required.', type: 'missing' };

const BOOLEANS = new Map(
  Object.entries({ true: true, 1: true, yes: true, on: true, false: false, 0: false, no: false, off: false }),
);

/** The rules of the parameters in the path, or in the query, all of which arrive as strings. */
export class ParameterRules {
  private readonly fields: readonly FieldRules[];
  private readonly names: ReadonlySet<string>;
  private readonly byFoldedName: ReadonlyMap<string, string>;

  /**
   * @param types their classes, one after the other
   * @param path the path template, which gives the order of path parameters
   */
  constructor(
    private readonly place: 'path' | 'query',
    types: readonly Type[],
    checks: TextChecks,
    path = '',
  ) {
    const fields = types.flatMap((type) => new ClassRules(type, checks, false).fields);
    const order = path.split('/');
    this.fields = fields.toSorted((a, b) => order.indexOf(`:${a.name}`) - order.indexOf(`:${b.name}`));
    this.names = new Set(fields.map(({ name }) => name));
    this.byFoldedName = new Map(fields.map(({ name }) => [foldedName(name), name]));
  }

  /**
   * @param faults to append to
   * @returns the converted values, with defaults; unknown parameters are left out, but other spellings of known ones are
   *   faults: a filter that is left out selects everything
   */
  read(values: Readonly<Record<string, unknown>>, faults: Fault[]): Record<string, unknown> {
    const converted: Record<string, unknown> = {};
    for (const field of this.fields) {
      const { name } = field;
      const raw = Object.hasOwn(values, name) ? values[name] : undefined;
      const value = raw === undefined ? undefined : this.readOne(field, raw, faults);
      if (value !== undefined) converted[name] = value;
      else if (raw === undefined && field.isRequired) faults.push({ loc: [this.place, name], ...REQUIRED });
      else if (field.fallback !== undefined) converted[name] = field.fallback;
    }
    if (this.place === 'query') this.findMisspelt(values, faults);
    return converted;
  }

  private findMisspelt(values: Readonly<Record<string, unknown>>, faults: Fault[]): void {
    for (const sent of Object.keys(values)) {
      const name = this.names.has(sent) ? undefined : misspelt(sent, this.byFoldedName);
      if (name === undefined) continue;
      const msg = `Write this parameter as ${name}, ${name}[] or ${name}[0].`;
      faults.push({ loc: [this.place, sent], msg, type: 'extra_forbidden' });
    }
  }

  private readOne(field: FieldRules, raw: unknown, faults: Fault[]): unknown {
    const loc = [this.place, field.name];
    const value = convert(raw, field);
    if (isObject(value)) {
      faults.push({ loc, ...(value as ParameterFault) });
    } else if (value !== undefined && findTextFaults(value, loc, faults)) {
      const findings = new Findings([this.place]);
      field.check(value, findings);
      faults.push(...findings.faults);
    }
    return value;
  }
}

type ParameterFault = Omit<Fault, 'loc'>;

/** Query and path values arrive as strings; this converts them to the type that their field declares. */
function convert(raw: unknown, { kind, isNullable }: FieldRules): unknown {
  if (kind === 'list') return Array.isArray(raw) ? raw : [raw];
  if (Array.isArray(raw)) return { msg: 'Must be given only once.', type: TWICE[kind] };
  const text = raw as string;
  // "org_id empty or null counts as absent" (contract, section 8); the same for every nullable parameter.
  if (isNullable && (text === '' || text.toLowerCase() === 'null')) return undefined;
  switch (kind) {
    case 'boolean':
      return (
        BOOLEANS.get(text.toLowerCase()) ??
        ({ msg: 'Must be one of true, false, 1, 0, yes, no, on, off.', type: 'bool_parsing' } satisfies ParameterFault)
      );
    case 'integer':
      if (/^-?\d{1,15}$/.test(text)) return Number(text);
      return { msg: 'Must be an integer.', type: 'int_parsing' } satisfies ParameterFault;
    case 'text':
      return text;
  }
}

const TWICE = { boolean: 'bool_parsing', integer: 'int_parsing', text: 'string_type' } as const;
