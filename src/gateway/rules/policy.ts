import { type NamePattern, namePattern } from './name-pattern';
import type { RuleScope } from './policy-rule';
import type { DefaultAccess } from '../settings/endpoint-enums';
import { type Hints, READS } from './tool-hints';

/** Something of a server, by what it is and not by how a bundle calls it. */
export interface PolicyItem extends Hints {
  readonly entryId: string;
  /** The name of a tool or a prompt, the address of a resource, or a template, as the server has it. */
  readonly name: string;
}

/** Whether something may be used, and why. */
export interface Decision {
  readonly isAllowed: boolean;
  /** The place of the rule that has decided; null: the default access of the endpoint. */
  readonly rule: number | null;
}

interface Matcher extends RuleScope {
  readonly fits: NamePattern;
}

/**
 * What someone may use: the rules whose subject they are, and what counts where none of them says anything. A rule that denies
 * wins over any that allows, so the order decides nothing but which rule is named: of those that decide alike the first.
 *
 * The same for lists, calls, prompts, resources, completion, search and previews. Depends on nothing else.
 */
export class Policy {
  private readonly denying: readonly Matcher[];
  private readonly allowing: readonly Matcher[];

  /** @param rules those that are about this principal, in their order */
  constructor(
    private readonly defaultAccess: DefaultAccess,
    rules: readonly RuleScope[],
  ) {
    const matchers = rules.map((rule) => ({ ...rule, fits: namePattern(rule.tools) }));
    this.denying = matchers.filter(({ effect }) => effect === 'DENY');
    this.allowing = matchers.filter(({ effect }) => effect === 'ALLOW');
  }

  /** Whether everything may be used. */
  get isOpen(): boolean {
    return this.defaultAccess === 'ALLOW' && this.denying.length === 0;
  }

  decide(item: PolicyItem): Decision {
    const denied = this.denying.find((rule) => isAbout(rule, item));
    if (denied) return { isAllowed: false, rule: denied.place };
    const allowed = this.allowing.find((rule) => isAbout(rule, item));
    if (allowed) return { isAllowed: true, rule: allowed.place };
    const { defaultAccess } = this;
    return { isAllowed: defaultAccess === 'ALLOW' || (defaultAccess === 'READ_ONLY' && item.isReadOnly), rule: null };
  }

  allows(item: PolicyItem): boolean {
    return this.isOpen || this.decide(item).isAllowed;
  }
}

/** An endpoint without rules has this policy, and so do reports, which show everything. */
export const OPEN_POLICY = new Policy('ALLOW', []);

/** @returns whether the resource with an address may be read, listed or not */
export function mayRead(policy: Policy, entryId: string, uri: string): boolean {
  return policy.allows({ entryId, name: uri, ...READS });
}

/** @returns what a rule is about, who uses it */
export function ruleMatcher(rule: RuleScope): (item: PolicyItem) => boolean {
  const matcher = { ...rule, fits: namePattern(rule.tools) };
  return (item) => isAbout(matcher, item);
}

function isAbout({ entryId, hint, fits }: Matcher, item: PolicyItem): boolean {
  if (entryId !== null && entryId !== item.entryId) return false;
  if (hint === 'read_only' && !item.isReadOnly) return false;
  if (hint === 'destructive' && !item.isDestructive) return false;
  return fits(item.name);
}
