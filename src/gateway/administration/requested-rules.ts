import { type Fault, ValidationError } from '../../errors/errors';
import type { PolicyRulePut, PolicySubjectPut } from './policy.dto';
import type { PolicyRule, PolicySubject } from '../rules/policy-rule';

/**
 * The rules that a request asks for.
 *
 * @throws ValidationError for a subject without what its kind needs, or with something that it does not have; the index of the
 *   rule is part of the place
 */
export function requestedRules(rules: readonly PolicyRulePut[]): PolicyRule[] {
  const faults: Fault[] = [];
  const read = rules.flatMap(({ effect, subject, tools, hint, entry_id }, place) => {
    const found = subjectOf(subject);
    if ('kind' in found)
      return [{ place, effect, subject: found, tools: tools ?? '*', hint: hint ?? null, entryId: entry_id ?? null }];
    faults.push({ ...found, loc: ['body', 'rules', String(place), 'subject', ...found.loc] });
    return [];
  });
  if (faults.length > 0) throw new ValidationError(faults);
  return read;
}

function subjectOf({ kind, role = null, id = null }: PolicySubjectPut): PolicySubject | Fault {
  if (role !== null && kind !== 'role') return unexpected('role', kind);
  if (id !== null && (kind === 'role' || kind === 'everyone')) return unexpected('id', kind);
  if (kind === 'everyone') return { kind };
  if (kind === 'role') return role === null ? missing('role', kind) : { kind, role };
  return id === null ? missing('id', kind) : { kind, id };
}

function missing(field: string, kind: string): Fault {
  return { loc: [field], msg: `Is required for a subject of kind "${kind}".`, type: 'missing' };
}

function unexpected(field: string, kind: string): Fault {
  return { loc: [field], msg: `Must be absent or null for a subject of kind "${kind}".`, type: 'value_error' };
}
