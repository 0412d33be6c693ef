import type { Type } from '@nestjs/common';
import type { Fault } from '../../errors/errors';
import { ClassRules, type FieldRules, Findings } from './class-rules';
import type { TextChecks } from './text-checks';
import { findTextFaults } from './text-faults';

/** Of integers in path and query: 15 digits, which a number holds exactly. The document says so where nothing else is said. */
export const LARGEST_INTEGER = 999_999_999_999_999;

const REQUIRED: Omit<Fault, 'loc'> = { msg: 'This parameter is required.', type: 'missing' };

const BOOLEANS = new Map(
  Object.entries({ true: true, 1: true, yes: true, on: true, false: false, 0: false, no: false, off: false }),
);

/** The rules of the parameters in the path, or of those in the query, which all come as texts. */
export class ParameterRules {
  private readonly fields: readonly FieldRules[];

  /**
   * @param types their classes, one after the other
   * @param path the template of the address, in whose order those in the path are
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
  }

  /**
   * @param faults are appended to
   * @returns the values as what they stand for, with defaults; unknown parameters are left out
   */
  read(values: Readonly<Record<string, unknown>>, faults: Fault[]): Record<string, unknown> {
    const converted: Record<string, unknown> = {};
    for (const field of this.fields) {
      const { name } = field;
      const given = Object.hasOwn(values, name) ? values[name] : undefined;
      const value = given === undefined ? undefined : this.readOne(field, given, faults);
      if (value !== undefined) converted[name] = value;
      else if (given === undefined && field.isRequired) faults.push({ loc: [this.place, name], ...REQUIRED });
      else if (field.fallback !== undefined) converted[name] = field.fallback;
    }
    return converted;
  }

  private readOne(field: FieldRules, given: unknown, faults: Fault[]): unknown {
    const loc = [this.place, field.name];
    const value = convert(given, field);
    if (isFault(value)) {
      faults.push({ loc, ...value });
    } else if (value !== undefined && findTextFaults(value, loc, faults)) {
      const findings = new Findings([this.place]);
      field.check(value, findings);
      faults.push(...findings.faults);
    }
    return value;
  }
}

type ParameterFault = Omit<Fault, 'loc'>;

function isFault(value: unknown): value is ParameterFault {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Query and path values arrive as text; this gives them the type that their field says. */
function convert(given: unknown, { kind, isNullable }: FieldRules): unknown {
  if (kind === 'list') return Array.isArray(given) ? given : [given];
  if (Array.isArray(given)) return { msg: 'Must be given only once.', type: TWICE[kind] };
  const text = given as string;
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
