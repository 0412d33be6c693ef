import type { BundleToolDetail, BundleToolUpdate } from '../../../api/schema';
import type { Member, Shape } from './form-shape';
import { emptyOf, type FormFaults, parsedJson, type Typed, typedFrom, valueFrom } from './form-value';

/** Hints that a bundle can make stricter, and their stricter values (the API refuses others). */
export const STRICTER = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
} as const;
export type Hint = keyof typeof STRICTER;
export const HINTS: readonly Hint[] = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'];

/** A fixed argument as it is typed: in a field of its schema, or as JSON where a form cannot say it. */
export interface FixedDraft {
  name: string;
  isJson: boolean;
  typed: Typed;
}

/** What an editor types of a tool; an empty text is that of the server. */
export interface RulesDraft {
  name: string;
  title: string;
  description: string;
  hints: Hint[];
  fixed: FixedDraft[];
}

type Ruled = Pick<BundleToolDetail, 'name_override' | 'title' | 'description' | 'annotations' | 'fixed_arguments'>;

/** @returns what the bundle says now, as one would have typed it */
export function typedRules(detail: Ruled, shape: Shape): RulesDraft {
  return {
    name: detail.name_override ?? '',
    title: detail.title ?? '',
    description: detail.description ?? '',
    hints: HINTS.filter((hint) => typeof detail.annotations?.[hint] === 'boolean'),
    fixed: Object.entries(detail.fixed_arguments ?? {}).map(([name, value]) => {
      const member = memberOf(shape, name);
      const typed = member && typedFrom(member.shape, value);
      if (typed !== undefined) return { name, isJson: false, typed };
      return { name, isJson: true, typed: JSON.stringify(value, null, 2) };
    }),
  };
}

/** @returns a draft of an argument that is to be fixed */
export function fixedDraft(shape: Shape, name: string): FixedDraft {
  const member = memberOf(shape, name);
  if (!member) return { name, isJson: true, typed: '' };
  return { name, isJson: false, typed: emptyOf(member.shape, member.initial) };
}

export function memberOf(shape: Shape, name: string): Member | undefined {
  return shape.kind === 'object' ? shape.members.find((one) => one.name === name) : undefined;
}

/** The path of a fixed argument in errors, as in those of the API. */
export const fixedPath = (name: string): string => `fixed_arguments.${name}`;

/** @returns what is wrong with it, by the paths of its fields */
export function faultsOfRules(draft: RulesDraft, shape: Shape): FormFaults {
  const faults: FormFaults = new Map();
  if (draft.name !== '' && !/^[A-Za-z0-9_-]{1,64}$/.test(draft.name)) faults.set('name', { code: 'pattern' });
  for (const one of draft.fixed) fixedValue(one, shape, faults);
  return faults;
}

function fixedValue({ name, isJson, typed }: FixedDraft, shape: Shape, faults: FormFaults): unknown {
  const path = fixedPath(name);
  const member = memberOf(shape, name);
  if (member && !isJson) return valueFrom(member.shape, typed, true, path, faults);
  const parsed = typeof typed === 'string' ? parsedJson(typed) : undefined;
  if (!parsed) faults.set(path, { code: typed === '' ? 'required' : 'json' });
  return parsed?.value;
}

/** @returns the change that makes the rules those of the draft: what is the same is left out */
export function rulesFrom(draft: RulesDraft, detail: Ruled, shape: Shape): BundleToolUpdate {
  const before = typedRules(detail, shape);
  const isSame = (name: keyof RulesDraft) => JSON.stringify(before[name]) === JSON.stringify(draft[name]);
  const fixed = Object.fromEntries(draft.fixed.map((one) => [one.name, fixedValue(one, shape, new Map())]));
  const hints = Object.fromEntries(draft.hints.map((hint) => [hint, STRICTER[hint]]));
  return {
    ...(!isSame('name') && { name: draft.name === '' ? null : draft.name }),
    ...(!isSame('title') && { title: draft.title.trim() === '' ? null : draft.title }),
    ...(!isSame('description') && { description: draft.description.trim() === '' ? null : draft.description }),
    ...(!isSame('hints') && { annotations: draft.hints.length === 0 ? null : hints }),
    ...(!isSame('fixed') && { fixed_arguments: draft.fixed.length === 0 ? null : fixed }),
  };
}
